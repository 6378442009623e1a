"""The WD Raptor's published reads, one at a time, that calibrations are held to."""

RAPTOR_READ = {
    "way": "read", "depth_count": 1, "latency_ms": 8.107,
    "percentiles": [
        {"percent_ratio": percent, "latency_ms": latency}
        for percent, latency in (
            (1.0, 3.228), (5.0, 4.358), (10.0, 5.079), (20.0, 5.997), (30.0, 6.783),
            (40.0, 7.373), (50.0, 7.963), (60.0, 8.585), (70.0, 9.241), (80.0, 10.027),
            (90.0, 10.945), (95.0, 11.731), (99.0, 13.304),
        )
    ],
}  # fmt: skip
