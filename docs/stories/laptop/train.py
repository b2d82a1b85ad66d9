from config import CONFIG_DEBUG, CONFIG_PHASE1
