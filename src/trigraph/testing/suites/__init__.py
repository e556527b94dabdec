"""What every store must do, a module for each member of the contract."""
