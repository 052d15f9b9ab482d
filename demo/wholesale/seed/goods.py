"""The price list of the demo: name, variants, category, unit, lowest and highest price."""

from __future__ import annotations

#: Name with ``{}`` for the variant, variants, category, unit, price of the first and of the last variant.
GOODS: list[tuple[str, str, str, str, float, float]] = [
    ("Installation cable {}", "3x1.5|3x2.5|5x1.5|5x2.5|5x6", "Cables", "m", 0.78, 4.9),
    ("Extension lead {}", "3 m|5 m|10 m|25 m", "Cables", "pc", 6.9, 34.0),
    ("Network cable Cat6 {}", "1 m|3 m|10 m|305 m", "Cables", "pc", 1.9, 129.0),
    ("Cable tie {}", "100 mm|200 mm|300 mm", "Cables", "box", 2.4, 6.8),
    ("LED bulb E27 {}", "5 W|8 W|11 W|15 W", "Lighting", "pc", 1.85, 5.2),
    ("LED panel {}", "30x30|60x60|120x30", "Lighting", "pc", 19.0, 46.0),
    ("Flood light {}", "20 W|50 W|100 W", "Lighting", "pc", 17.5, 69.0),
    ("Emergency light {}", "1 h|3 h", "Lighting", "pc", 38.0, 57.0),
    ("Socket {}", "single|double|outdoor|with USB", "Electrical", "pc", 2.9, 19.5),
    ("Light switch {}", "single|two-way|dimmer", "Electrical", "pc", 2.6, 28.0),
    ("Circuit breaker {}", "B10|B16|C16|C32", "Electrical", "pc", 5.4, 13.9),
    ("Residual current device {}", "25 A|40 A|63 A", "Electrical", "pc", 31.0, 62.0),
    ("Junction box {}", "80 mm|100 mm|IP65", "Electrical", "pc", 0.9, 4.7),
    ("Copper pipe {}", "15 mm|18 mm|22 mm|28 mm", "Pipes", "m", 6.4, 17.8),
    ("PEX pipe {}", "16 mm|20 mm|25 mm", "Pipes", "m", 1.3, 2.9),
    ("Drain pipe {}", "50 mm|75 mm|110 mm", "Pipes", "m", 2.8, 8.6),
    ("Pipe elbow {}", "15 mm|22 mm|28 mm", "Pipes", "pc", 1.1, 3.9),
    ("Ball valve {}", "1/2 in|3/4 in|1 in", "Pipes", "pc", 7.9, 16.5),
    ("Basin mixer {}", "chrome|black", "Bathroom", "pc", 58.0, 84.0),
    ("Shower set {}", "basic|thermostatic", "Bathroom", "pc", 49.0, 189.0),
    ("Toilet seat {}", "standard|soft-close", "Bathroom", "pc", 17.0, 39.0),
    ("Wood screw {}", "4x40|4x60|5x60|5x80|6x100", "Fasteners", "box", 4.2, 14.9),
    ("Wall plug {}", "6 mm|8 mm|10 mm", "Fasteners", "box", 3.1, 6.7),
    ("Hex bolt {}", "M8x40|M10x60|M12x80", "Fasteners", "box", 8.9, 24.0),
    ("Cordless drill {}", "12 V|18 V", "Tools", "pc", 89.0, 179.0),
    ("Hammer {}", "300 g|500 g", "Tools", "pc", 11.5, 17.0),
    ("Spirit level {}", "60 cm|120 cm", "Tools", "pc", 14.0, 31.0),
    ("Pipe wrench {}", "1 in|2 in", "Tools", "pc", 22.0, 48.0),
    ("Drill bit set {}", "wood|metal|masonry", "Tools", "set", 9.9, 27.0),
    ("Wall paint white {}", "3 l|10 l", "Paint", "pc", 18.0, 49.0),
    ("Primer {}", "1 l|5 l", "Paint", "pc", 9.5, 36.0),
    ("Silicone {}", "white|grey|clear", "Paint", "pc", 4.4, 5.6),
    ("Mineral wool {}", "50 mm|100 mm|150 mm", "Insulation", "m²", 3.6, 10.4),
    ("Vapour barrier {}", "50 m²|100 m²", "Insulation", "roll", 34.0, 61.0),
    ("Pipe insulation {}", "15 mm|22 mm|28 mm", "Insulation", "m", 0.9, 1.9),
    ("Safety helmet {}", "white|yellow", "Safety", "pc", 12.0, 14.0),
    ("Work gloves {}", "size 8|size 9|size 10", "Safety", "pair", 3.2, 4.1),
    ("Safety goggles {}", "clear|tinted", "Safety", "pc", 5.9, 7.4),
    ("Safety shoes {}", "size 41|size 43|size 45", "Safety", "pair", 59.0, 59.0),
]

#: How often the goods that everybody buys are picked, against 1 for the rest.
BEST_SELLERS = {
    "Installation cable 3x1.5": 14,
    "LED bulb E27 8 W": 12,
    "Wood screw 5x60": 10,
    "Copper pipe 15 mm": 8,
    "Socket double": 7,
}


def price_list() -> list[tuple[str, str, str, float]]:
    """Name, category, unit and price of every product."""
    products = []
    for name, variants, category, unit, low, high in GOODS:
        each = variants.split("|")
        for place, variant in enumerate(each):
            price = low + (high - low) * place / max(1, len(each) - 1)
            products.append((name.format(variant), category, unit, round(price, 2)))
    return products
