"""Lists of English words that any office uses, and nothing of one host."""

from __future__ import annotations


def listed(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


#: Words that say nothing about what is asked for.
STOP = listed("""
    a about actually again all also am an and any anything are as at be because been but by ca can could currently did do does doing done each
    either else ever every everything few for from get gets getting give given go goes going got had has have having he hello her here hey
    hi him his how i if in into is it its just kind know let lets like look looking many may maybe me mean might mine more much must my name
    named names need needs nor not now of off okay on one ones only or other our ours out over own per please quickly quite rather really
    right see shall she should show so some still such tell than thank thanks that the their them then there these they thing things this
    those through to too under until up us use using very via want wants was way we well were what whats when where which while who whom whose
    why will with without wo would yes yet you your s t m re ve ll display list find search fetch check figure details detail information
    info overall altogether called since before after between during within last next previous past recent recently latest newest most least
    big small first new old oldest exactly approximately around roughly available e.g etc number
    numbers regarding concerning sort kindly answer question moment something place placed make makes made making come comes coming came happen happened happening wait waits waiting less fewer compare compared compares comparing comparison versus vs never above contain contains contained containing include includes including exceed exceeds exceeded euro euros eur dollar dollars pound pounds anyone somebody someone everyone everybody thats
""")

#: They say how, when or how much, and are no name of anybody or anything.
ADVERBS = listed("""
    already almost always anymore away back commonly constantly daily directly elsewhere enough especially eventually far finally fully
    hardly hence here however immediately instead later lately maybe meanwhile mostly nearly nevertheless nothing nobody none nowhere normally
    occasionally often once perhaps possibly presently primarily probably rarely regularly seldom simply since sometimes somewhat soon still
    suddenly supposedly there therefore together twice typically usually yet ago apart ahead alone along around today tonight
""")
STOP = STOP | (ADVERBS - {"back", "often", "nothing", "daily", "late"}) | {"nothing", "anybody", "same"}
#: What a quantity is counted in: the name of nothing.
UNITS = listed("""
    metre metres meter meters centimetre centimetres piece pieces pcs box boxes roll rolls pack packs packet packets pallet pallets litre litres
    liter liters kilo kilos kilogram kilograms bag bags
""")
#: Behind a number they are a part of what a thing is called.
MEASURES = listed("mm cm km ml kg kw mm2")
#: How much or how many of a quality follows: the next word is no name.
DEGREES = listed("most least more less very so too how as quite rather really particularly especially")
#: Numbers as words. "One" is one only where it counts ("one reminder", never "this one").
NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100,
}  # fmt: skip
NO_COUNT = listed("this that which the no each every any some another other")
#: What belongs to a country or lives there → the country. Written with a capital: to polish is another word.
NATIONS = {
    "American": "United States", "Australian": "Australia", "Austrian": "Austria", "Belgian": "Belgium", "Brazilian": "Brazil",
    "British": "United Kingdom", "English": "United Kingdom", "Bulgarian": "Bulgaria", "Canadian": "Canada", "Chinese": "China",
    "Croatian": "Croatia", "Czech": "Czechia", "Danish": "Denmark", "Dutch": "Netherlands", "Egyptian": "Egypt", "Emirati": "United Arab Emirates",
    "Estonian": "Estonia", "Finnish": "Finland", "French": "France", "German": "Germany", "Germans": "Germany", "Greek": "Greece",
    "Hungarian": "Hungary", "Icelandic": "Iceland", "Indian": "India", "Irish": "Ireland", "Israeli": "Israel", "Italian": "Italy",
    "Japanese": "Japan", "Korean": "South Korea", "Latvian": "Latvia", "Lithuanian": "Lithuania", "Mexican": "Mexico", "Norwegian": "Norway",
    "Polish": "Poland", "Portuguese": "Portugal", "Romanian": "Romania", "Russian": "Russia", "Serbian": "Serbia", "Slovak": "Slovakia",
    "Slovenian": "Slovenia", "Spanish": "Spain", "Swedish": "Sweden", "Swiss": "Switzerland", "Turkish": "Turkey", "Ukrainian": "Ukraine",
    "UK": "United Kingdom", "Britain": "United Kingdom", "UAE": "United Arab Emirates", "USA": "United States",
}  # fmt: skip
#: A text of such words alone greets or thanks, and asks for nothing.
GREETING = listed("hello hi hey good morning afternoon evening day there greetings hallo dear assistant")
THANKING = listed(
    "thanks thank you ty cheers great perfect nice ok okay super very much a lot cool so fine wonderful bye goodbye for that the help"
)
#: One of these at least makes it a greeting, or thanks.
GREETED = listed("hello hi hey morning afternoon evening greetings hallo day")
THANKED = listed("thanks thank ty cheers great perfect nice ok okay super wonderful cool fine bye goodbye")
#: They stand for somebody or something that was spoken of.
PERSONS = listed("they them their theirs he him his she her hers")
PRONOUNS = PERSONS | listed("it its this that ones those these")
#: They ask something of their own, so that a text with one leaves nothing unsaid.
QUESTIONING = listed("who whom whose which when where why")

#: Words that order somebody about politely, before the verb that matters.
POLITE = listed("please can could would will you i we want need to like let us lets kindly just and then now also me")
#: A text that begins with one of these asks.
ASKING = listed("did do does which what who when where how is are was were has have why whose")
ARTICLES = listed("a an the our any all some this that these those his her their your my")

#: Words that are no name, though no tool may know them: they count as asked for, and as missed.
COMMON = listed("""
    account action address after afternoon amount april area attention august average before begin below best between biggest building
    business busy case chance change choice class clear close come coming complaint complete cost count country
    couple currency current cut daily date day days deadline december decrease deliver delivery detail difference different dollar dollars
    done double down draft due each early easy email empty end error euro euros eur evening event example expected expensive explain fail
    fast favourite february file final fine finish first fix forecast form friday full future general goes gone good great group grow growth
    half happen happened hard help high hour hours idea important increase interest issue january job joke july june large late law lead
    learn leave left letter level line list load long lose loss lost low made main make making march margin matter maximum mean median
    meeting member message method minimum minute minutes missing moment monday money month months morning move name need new news night
    november october office old open order over overall own page paper part past pay people per percent percentage period person phone place
    placed plan point position possible price problem process profit progress project quality quarter question quick range ready rate ratio reach
    reason recipe record reduce region remain remaining remains report request rest result review rise risk room rule run running saturday
    save second section sell send september share short sign simple since single situation size slow song sort source special spend spent
    staff stand start state statement status step stop story street strong subject sum summarise summary sunday supplier suppliers task tax
    team test third thursday time times title today tomorrow total track travel trend tuesday type under understand unit units usual
    value vat version wait waiting walk watch weather wednesday week weeks weight whole word words worth write wrong year years
    yesterday poem translate joke story president capital
""")

#: Before "to" and a verb they say that it is not done yet ("ready to ship").
PENDING = listed("ready waiting still left yet something anything much have has had")
#: Parameters of these names take somebody, never a thing.
SOMEBODY = listed("customer client person user member patient borrower employee contact supplier guest student author")
#: Names of tools that tell all about one thing.
ALL_ABOUT = listed("overview profile summary details detail card")

# Which row is wanted.
HIGHEST = listed("most highest largest biggest best top greatest longest")
LOWEST = listed("least lowest smallest fewest cheapest shortest worst emptiest")
LATEST = listed("latest newest last recent")
OLDEST = listed("oldest earliest first")
#: Words that ask for a sum, and a verb that goes with everything: they say little about the tool.
SUMMING = listed("total sum altogether amount amounts send sends sent people person often common frequent frequently mostly")
#: Words that ask for arithmetic which no list does by itself: a tool that does not speak of it does not fit.
ARITHMETIC = listed("average mean median percent percentage ratio share trend forecast predict growth")
#: What offices keep lists of. A question about one of them is answered by no tool that does not speak of it.
THINGS = listed("""
    invoice invoices bills payment payments orders customer customers client clients supplier suppliers product products sales revenue turnover
    returns refunds salary salaries wages employee employees contract contracts prices deliveries shipments appointments patients unpaid owe owes
    owed debts debtors
""")
#: In a tool's name they turn its sense around, or bound it; the question has to say something of the kind.
DENYING = listed("without not no non never nothing none nobody neither")
BOUNDING = listed("over above beyond below under exceed exceeds exceeded exceeding past")
#: A list that is named by one of these holds only some of what there is.
NARROWING = listed("""
    low high unpaid paid overdue open closed late best top worst new old pending expired cancelled missing lost active inactive available upcoming
    past recent failed rejected approved free busy unread urgent
""")
RANKING = HIGHEST | LOWEST | LATEST | OLDEST

#: Verbs that change something: a tool whose name begins with one is called only when the text tells it to.
ACTING = listed("""
    add adjust allocate announce answer apply approve archive assign block book call cancel change charge close complete confirm copy correct create credit
    deactivate decline decrease delete deliver disable discount dispatch drop edit email enable enrol enter export extend finish fix hold import increase insert issue
    log lock lower mail make mark merge modify move notify order pack pause pay place post postpone print put raise record reduce refund register reject release
    remind remove rename renew reopen replace reply reschedule reserve reset resolve restock restore return revoke schedule send set ship
    start stop submit suspend swap take transfer unblock unlock update upload void withdraw write
""")

#: Texts of at most so many words, that begin with one of these and hold nothing but such words, answer a card or ask about it.
SHORT = 8
ANSWERS = listed("""
    yes yep yeah ok okay sure go do please confirm approve agreed no nope never cancel reject stop is was did done well and so proceed right
    correct accept
""")
AGREEING = ANSWERS | listed(
    "it that this ahead now just then thanks thank you i not mind already happen work worked we the card change fine good"
)

#: Those of them that may as well be nouns, so that a text that begins with one need not be an order.
NOUNS = listed("""
    answer block book call charge copy credit discount email export hold import issue lock log mail order pause pay place
    post print record
    refund register release reserve return start stop transfer write
""")

#: Irregular forms → the word whose stem they share.
FORMS = {
    "sold": "sell", "brought": "bring", "sale": "sell", "sales": "sell", "seller": "sell", "sellers": "sell", "paid": "pay", "payment": "pay",
    "payments": "pay", "bought": "buy", "buyer": "buy", "sent": "send", "lent": "lend", "delivery": "deliver",
    "deliveries": "deliver", "delivered": "deliver", "shipment": "ship", "shipments": "ship", "debtor": "debt", "debtors": "debt",
    "children": "child", "people": "person", "men": "man", "women": "woman", "bookings": "book", "booking": "book",
    "e-mail": "email", "e-mails": "email", "reservation": "reserve", "reservations": "reserve", "cancellation": "cancel",
    "cancellations": "cancel", "best-selling": "bestselling", "spelt": "spell", "misspelt": "misspell", "ran": "run", "monthly": "month",
    "yearly": "year", "annual": "year", "daily": "day", "weekly": "week", "cheapest": "cheap", "pricelist": "price",
    "reminder": "remind", "reminders": "remind", "spent": "spend", "came": "come", "made": "make", "overdue": "overdue", "unpaid": "unpay", "settled": "pay", "settle": "pay", "owed": "owe", "went": "go", "held": "hold", "kept": "keep",
}  # fmt: skip

#: Groups of words that an office uses for one another.
GROUPS = (
    "largest biggest highest greatest",
    "newest latest",
    "low lowest smallest",
    "unpaid outstanding owe debt", "overdue late delayed", "sell revenue turnover", "buy purchase", "invoice bill",
    "customer client firm company", "product article item goods", "employee staff colleague", "cost price", "note remark comment",
    "phone telephone contact", "email contact", "address contact", "low short below scarce", "reorder replenish restock",
    "best top popular leading", "create add new write", "change update edit set modify adjust mark correct put", "raise increase", "lower reduce decrease", "delete remove", "mail email",
    "book reserve schedule", "cancel void", "send ship dispatch", "stock inventory", "stock warehouse", "deliver arrive", "total sum",
    "quantity many", "person member", "return back", "misspell mistype typo spell similar", "worth value", "doctor physician",
    "overview summary", "defective faulty broken", "money debt", "bring sell revenue turnover",
)  # fmt: skip
