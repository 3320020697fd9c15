# A month of this App Store takes an hour.
mint --month 1h
start_store
