"""What the columns of an inventory are called, in English and nine other languages.

Words are in small letters, without accents and signs: ``plain`` makes them so of a head.
"""

from __future__ import annotations

import re
import unicodedata

# What stands between words of a column's name: signs, or a capital as in cpuDescription.
# Letters that no accent can be taken off, small and large.
_LETTERS = str.maketrans({"ß": "ss", "œ": "oe", "Œ": "Oe", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"})
_BETWEEN = re.compile(r"[_\-.'\u2019]+|(?<=[a-z])(?=[A-Z][a-z])")

ENGLISH: dict[str, tuple[str, ...]] = {
    "name": ("name", "hostname", "host", "server", "device", "machine", "fqdn", "vm",
             "machine name", "vm name", "server name", "host name"),
    "maker": ("manufacturer", "vendor", "make", "brand"),
    "model": ("device type", "type", "model", "product", "server model", "chassis"),
    "cpu": ("cpu", "cpu description", "cpu model", "processor", "processor model", "processors"),
    "sockets": ("sockets", "cpus", "cpu count", "socket count", "processor count"),
    "cores_per_socket": ("cores per socket", "cores per cpu"),
    "cores": ("cores", "cpu cores", "core count", "total cores", "vcpus", "vcpu", "physical cores"),
    "ram": ("memory", "ram", "total memory", "memory size", "installed memory"),
    "disk": ("disk", "storage", "disk size", "disks", "local storage", "total disk"),
    "busy": ("cpu usage", "cpu utilization", "cpu utilisation", "utilization", "utilisation",
             "average cpu", "avg cpu", "cpu"),
    "watts": ("power", "watts", "power draw", "average power"),
    "count": ("quantity", "qty", "count", "number"),
    "role": ("role", "device role"),
    "status": ("status", "state", "power state", "powerstate"),
    "bought": ("purchase date", "purchased", "purchased on", "date of purchase", "bought",
               "bought on", "acquired", "acquired on", "acquisition date", "in service",
               "in service since", "in service date", "install date", "installed on", "year",
               "year of purchase", "commissioned", "commissioned on"),
    "price": ("price", "purchase price", "price paid", "cost", "purchase cost", "unit price",
              "unit cost", "acquisition cost"),
}  # fmt: skip
# German, French, Spanish, Italian, Portuguese, Dutch, Polish, Czech, Swedish. "Nombre" is a name
# in Spanish, and in French a number where there is a "nom" beside it. A price in their words is
# taken in dollars alone, where the head says so.
OTHERS: dict[str, tuple[str, ...]] = {
    "name": ("servername", "rechner", "rechnername", "gerat", "geratename", "maschine", "nom",
             "nom du serveur", "nom d hote", "serveur", "hote", "nombre", "nombre del servidor",
             "servidor", "equipo", "maquina", "nome", "nome server", "nome host",
             "nome do servidor", "macchina", "servernaam", "naam", "hostnaam", "nazwa",
             "nazwa serwera", "serwer", "nazev", "nazev serveru", "namn", "servernamn"),
    "maker": ("hersteller", "marke", "fabricant", "constructeur", "marque", "fabricante", "marca",
              "produttore", "fornitore", "fabrikant", "leverancier", "producent", "vyrobce",
              "tillverkare"),
    "model": ("geratetyp", "modell", "servermodell", "typ", "modele", "type de serveur", "modelo",
              "tipo", "modello", "tipo server", "type server", "typ serwera", "typ serveru"),
    "cpu": ("prozessor", "prozessortyp", "prozessormodell", "cpu modell", "prozessoren",
            "processeur", "modele de processeur", "processeurs", "procesador",
            "modelo de procesador", "procesadores", "processore", "modello processore",
            "processador", "modelo do processador", "procesor", "model procesora"),
    "sockets": ("sockel", "anzahl cpus", "anzahl prozessoren", "cpu anzahl",
                "nombre de processeurs", "nombre de cpu", "numero de procesadores", "zocalos",
                "numero cpu", "numero processori", "aantal cpus", "aantal processors",
                "liczba procesorow", "pocet procesoru", "antal processorer"),
    "cores_per_socket": ("kerne pro sockel", "kerne je sockel", "kerne pro cpu", "kerne je cpu",
                         "kerne pro prozessor", "coeurs par processeur", "coeurs par cpu",
                         "nucleos por procesador", "nucleos por cpu", "core per socket",
                         "nuclei per processore", "nucleos por processador", "kernen per socket",
                         "kernen per cpu", "rdzenie na procesor"),
    "cores": ("kerne", "cpu kerne", "prozessorkerne", "anzahl kerne", "kerne gesamt", "coeurs",
              "coeurs cpu", "nombre de coeurs", "nucleos", "numero de nucleos", "core", "nuclei",
              "core totali", "numero core", "nucleos totais", "kernen", "cpu kernen",
              "aantal kernen", "rdzenie", "liczba rdzeni", "rdzenie cpu", "jadra", "pocet jader",
              "karnor", "antal karnor"),
    "ram": ("arbeitsspeicher", "hauptspeicher", "memoire", "memoire vive", "memoire ram",
            "memoria", "memoria ram", "memoria installata", "geheugen", "werkgeheugen",
            "intern geheugen", "pamiec", "pamiec ram", "pamet", "operacni pamet", "minne",
            "arbetsminne"),
    "disk": ("festplatte", "festplatten", "speicherplatz", "datentrager", "plattenplatz", "disque",
             "disques", "disque dur", "stockage", "disco", "discos", "disco duro",
             "almacenamiento", "dischi", "spazio disco", "archiviazione", "armazenamento",
             "schijf", "schijven", "opslag", "dysk", "dyski", "disky", "lagring"),
    "busy": ("cpu auslastung", "auslastung", "mittlere auslastung", "utilisation cpu",
             "utilisation du processeur", "charge cpu", "uso de cpu", "utilizacion de cpu",
             "utilizacion", "uso", "utilizzo cpu", "uso cpu", "utilizacao de cpu",
             "utilizacao da cpu", "cpu gebruik", "cpu belasting", "uzycie cpu", "obciazenie cpu",
             "vyuziti cpu", "cpu anvandning"),
    "watts": ("leistung", "leistungsaufnahme", "stromverbrauch", "mittlere leistung", "puissance",
              "consommation", "consommation electrique", "potencia", "consumo",
              "consumo electrico", "potenza", "consumo energetico", "vermogen", "stroomverbruik",
              "moc", "pobor mocy", "prikon", "effekt"),
    "count": ("anzahl", "menge", "stuck", "stuckzahl", "quantite", "cantidad", "numero", "nombre",
              "quantita", "quantidade", "qtd", "aantal", "ilosc", "pocet", "antal"),
    "role": ("rolle", "geraterolle", "role de l equipement", "rol", "funcion", "ruolo", "funcao",
             "functie", "rola", "role serveru"),
    "status": ("zustand", "betriebszustand", "statut", "etat", "estado", "stato", "situacao",
               "stan", "stav"),
    "bought": ("kaufdatum", "anschaffungsdatum", "angeschafft", "inbetriebnahme", "baujahr",
               "jahr", "date d achat", "mise en service", "annee", "fecha de compra",
               "puesta en servicio", "ano", "data di acquisto", "data de compra", "aankoopdatum",
               "aanschafdatum", "data zakupu", "datum nakupu", "anno", "ano de compra",
               "inkopsdatum"),
    "price": ("preis", "kaufpreis", "anschaffungspreis", "prix", "prix d achat", "precio",
              "precio de compra", "prezzo", "prezzo di acquisto", "preco", "preco de compra",
              "prijs", "aankoopprijs", "cena", "cena zakupu", "pris"),
}  # fmt: skip
WORDS = {meaning: (*words, *OTHERS[meaning]) for meaning, words in ENGLISH.items()}
# States, by their letters alone, of machines that carry no work.
OFF = frozenset(
    ("ausgeschaltet", "aus", "ausserbetrieb", "stillgelegt", "auflager", "lager", "reserve",
     "eteint", "arrete", "horsservice", "enstock", "stock", "apagado", "fueradeservicio",
     "enalmacen", "retirado", "averiado", "defekt", "enpanne",
     "spento", "dismesso", "inmagazzino", "desligado", "uit", "uitgeschakeld", "wylaczony",
     "vypnuto", "avstangd")
)  # fmt: skip
# What stands for a name in the row below a list that adds its machines up.
TOTAL = frozenset(
    ("total", "totals", "sum", "grand total", "overall", "summe", "gesamt", "gesamtsumme", "somme",
     "suma", "totale", "totais", "totaal", "razem", "celkem", "summa")
)  # fmt: skip
# Roles of devices in a rack that carry no work.
NO_SERVER = re.compile(
    r"switch|router|firewall|\bpdu\b|\bups\b|patch|console|\bkvm\b|access point|modem|"
    r"load balancer|cable|cooling|sensor|camera|printer|telephone|\bspine\b|\bleaf\b|\btor\b|"
    r"\busv\b|drucker|konsole|kuhlung|kamera|telefon|lastverteiler|"
    r"commutateur|routeur|pare feu|onduleur|imprimante|telephone|"
    r"conmutador|enrutador|cortafuegos|\bsai\b|impresora|camara",
    re.IGNORECASE,
)


def plain(text: str) -> str:
    """Words as the tables have them.

    >>> plain("Mémoire (Go)"), plain("Cœurs"), plain("cpuDescription"), plain("Maß")
    ('memoire (go)', 'coeurs', 'cpu description', 'mass')
    """
    apart = unicodedata.normalize("NFKD", _BETWEEN.sub(" ", text).translate(_LETTERS))
    bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return " ".join(bare.lower().split())
