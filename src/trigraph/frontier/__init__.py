"""Which memories that never met in a composition look worth it: rules, without a store and without a clock."""
