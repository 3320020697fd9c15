# A month of this App Store takes two minutes.
mint --month 2m
start_store
