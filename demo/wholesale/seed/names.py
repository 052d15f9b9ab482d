"""Names of firms and people: common surnames put together with common words for a trade, so that none means a real firm.

Several scripts on purpose, and near-doubles ("Hansen", "Hanssen", "Hansson"), because real customer lists have them.
"""

from __future__ import annotations

import random

#: Country → (share, cities, surnames, what follows the surname in a firm's name, first names).
PLACES: dict[str, tuple[int, str, str, str, str]] = {
    "NO": (
        20,
        "Oslo|Bergen|Tromsø|Bodø",
        "Olsen|Larsen|Berg|Dahl|Lund|Solberg|Bråten|Sæther",
        "Bygg AS|Elektro AS|Rør AS|VVS AS",
        "Kari|Ola|Ingrid|Øyvind|Åse",
    ),
    "SE": (
        10,
        "Malmö|Göteborg|Umeå",
        "Lindström|Öberg|Sjögren|Åkesson|Nyström",
        "Bygg AB|El AB|Rör AB",
        "Märta|Björn|Åsa|Göran",
    ),
    "DE": (
        18,
        "Köln|Lübeck|Erfurt|Würzburg",
        "Müller|Schröder|Jäger|Weiß|Köhler|Vogt",
        "Bau GmbH|Elektrotechnik GmbH|Sanitär KG",
        "Jörg|Ute|Änne|Lutz",
    ),
    "EE": (
        12,
        "Tallinn|Tartu|Pärnu|Võru",
        "Tamm|Mägi|Kõiv|Õunapuu|Põder|Rebane",
        "Ehitus OÜ|Elekter OÜ|Torutööd OÜ",
        "Ülle|Jaan|Õie|Märt",
    ),
    "PL": (
        10,
        "Łódź|Gdańsk|Poznań",
        "Wójcik|Kowalczyk|Żak|Łukasik|Dąbrowski",
        "Budowa Sp. z o.o.|Instalacje Sp. z o.o.",
        "Łucja|Paweł|Józef|Żaneta",
    ),
    "CZ": (6, "Brno|Plzeň|Děčín", "Dvořák|Říha|Šimek|Žáček", "Stavby s.r.o.|Elektro s.r.o.", "Jiří|Zdeňka|Ondřej"),
    "FR": (
        7,
        "Orléans|Angoulême|Besançon",
        "Lefèvre|Marçais|Bénard|Hélary",
        "Bâtiment SARL|Électricité SARL",
        "Zoé|François|Élodie",
    ),
    "GB": (
        9,
        "Leeds|Dundee|Norwich",
        "Smith|Baker|Turner|Fletcher|Mason",
        "Builders Ltd|Electrical Ltd|Plumbing Ltd",
        "Alice|Tom|Priya",
    ),
    "TR": (5, "İzmir|Eskişehir", "Yılmaz|Şahin|Öztürk|Çelik", "İnşaat Ltd. Şti.|Elektrik Ltd. Şti.", "Ayşe|Gökhan|İpek"),
    "BG": (7, "Варна|Пловдив|Русе", "Иванов|Петров|Соколов|Димитров", "Строй ООД|Монтаж ООД|Електро ООД", "Мария|Георги|Елена"),
    "GR": (
        6,
        "Πάτρα|Βόλος|Χανιά",
        "Παπαδόπουλος|Γεωργίου|Νικολάου",
        "Κατασκευές ΑΕ|Ηλεκτρολογικά ΕΠΕ",
        "Ελένη|Νίκος|Σοφία",
    ),
    "CN": (5, "宁波|青岛", "王氏|李氏|张氏|陈氏", "建筑有限公司|电气有限公司|五金行", "王芳|李伟|张敏"),
    "JP": (3, "名古屋|仙台", "佐藤|鈴木|高橋", "工務店|電気|設備", "佐藤恵|鈴木健"),
    "AE": (4, "دبي|الشارقة", "شركة النور|شركة الأمل|مؤسسة الفجر", "للمقاولات|للكهرباء|لمواد البناء", "ليلى|يوسف|سلمى"),
    "IL": (2, "חיפה|באר שבע", "כהן|לוי", "בנייה בע״מ|חשמל בע״מ", "נועה|דוד"),
}

COUNTRIES = {
    "NO": "Norway",
    "SE": "Sweden",
    "DE": "Germany",
    "EE": "Estonia",
    "PL": "Poland",
    "CZ": "Czechia",
    "FR": "France",
    "GB": "United Kingdom",
    "TR": "Turkey",
    "BG": "Bulgaria",
    "GR": "Greece",
    "CN": "China",
    "JP": "Japan",
    "AE": "United Arab Emirates",
    "IL": "Israel",
}

#: Always there, so that one name has to be told from another.
HANSENS = [
    ("Hansen Bygg AS", "NO", "Oslo"),
    ("Hansen Elektro AS", "NO", "Bergen"),
    ("Hansen & Sønner", "NO", "Bodø"),
    ("Hanssen Rør AS", "NO", "Tromsø"),
    ("Hansson Bygg AB", "SE", "Malmö"),
    ("Hansén VVS AB", "SE", "Umeå"),
    ("Schroder Bau GmbH", "DE", "Lübeck"),
    ("Muller Elektrotechnik GmbH", "DE", "Köln"),
]


def firms(rng: random.Random, count: int) -> list[tuple[str, str, str, str]]:
    """``count`` different firms: name, contact person, country, city."""
    named = [(name, country, city) for name, country, city in HANSENS[:count]]
    taken = {name for name, _, _ in named}
    countries = list(PLACES)
    shares = [PLACES[country][0] for country in countries]
    while len(named) < count:
        country = rng.choices(countries, shares)[0]
        _, cities, surnames, trades, _ = PLACES[country]
        city = rng.choice(cities.split("|"))
        space = "" if country in {"CN", "JP"} else " "
        name = rng.choice(surnames.split("|")) + space + rng.choice(trades.split("|"))
        if name in taken:
            # A second firm of that name is told apart by its town, as in real lists.
            name = f"{name} {city}"
        if name not in taken:
            taken.add(name)
            named.append((name, country, city))
        elif len(taken) > 300:
            named.append((f"{name} {len(named)}", country, city))
    return [(name, person(rng, country), country, city) for name, country, city in named]


def person(rng: random.Random, country: str) -> str:
    """A contact person's name."""
    _, _, surnames, _, first_names = PLACES[country]
    first = rng.choice(first_names.split("|"))
    return first if country in {"CN", "JP", "AE", "IL"} else f"{first} {rng.choice(surnames.split('|'))}"
