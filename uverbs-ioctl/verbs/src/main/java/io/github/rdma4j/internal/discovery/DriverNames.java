// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.discovery;

import static java.util.Map.entry;

import io.github.rdma4j.internal.uverbs.DriverIds;
import java.util.Map;

/** Driver names by number, and a guess of the driver from a device name. */
public final class DriverNames {
    private static final Map<Integer, String> NAMES = Map.ofEntries(
            entry(DriverIds.RDMA_DRIVER_UNKNOWN, "unknown"),
            entry(DriverIds.RDMA_DRIVER_MLX5, "mlx5"),
            entry(DriverIds.RDMA_DRIVER_MLX4, "mlx4"),
            entry(DriverIds.RDMA_DRIVER_CXGB3, "cxgb3"),
            entry(DriverIds.RDMA_DRIVER_CXGB4, "cxgb4"),
            entry(DriverIds.RDMA_DRIVER_MTHCA, "mthca"),
            entry(DriverIds.RDMA_DRIVER_BNXT_RE, "bnxt_re"),
            entry(DriverIds.RDMA_DRIVER_OCRDMA, "ocrdma"),
            entry(DriverIds.RDMA_DRIVER_NES, "nes"),
            entry(DriverIds.RDMA_DRIVER_IRDMA, "irdma"),
            entry(DriverIds.RDMA_DRIVER_VMW_PVRDMA, "vmw_pvrdma"),
            entry(DriverIds.RDMA_DRIVER_QEDR, "qedr"),
            entry(DriverIds.RDMA_DRIVER_HNS, "hns"),
            entry(DriverIds.RDMA_DRIVER_USNIC, "usnic"),
            entry(DriverIds.RDMA_DRIVER_RXE, "rxe"),
            entry(DriverIds.RDMA_DRIVER_HFI1, "hfi1"),
            entry(DriverIds.RDMA_DRIVER_QIB, "qib"),
            entry(DriverIds.RDMA_DRIVER_EFA, "efa"),
            entry(DriverIds.RDMA_DRIVER_SIW, "siw"),
            entry(DriverIds.RDMA_DRIVER_ERDMA, "erdma"));

    /** Drivers whose devices are named after the driver unless an administrator renames them. */
    private static final Map<String, Integer> DEVICE_NAME_PREFIXES = Map.of(
            "rxe", DriverIds.RDMA_DRIVER_RXE,
            "siw", DriverIds.RDMA_DRIVER_SIW,
            "mlx4_", DriverIds.RDMA_DRIVER_MLX4,
            "mlx5_", DriverIds.RDMA_DRIVER_MLX5,
            "erdma_", DriverIds.RDMA_DRIVER_ERDMA);

    private DriverNames() {}

    public static String name(int driverId) {
        return NAMES.getOrDefault(driverId, "driver " + driverId);
    }

    /** The driver that the device name suggests, for kernels that do not report the driver. */
    public static int guess(String deviceName) {
        return DEVICE_NAME_PREFIXES.entrySet().stream()
                .filter(prefix -> deviceName.startsWith(prefix.getKey()))
                .mapToInt(Map.Entry::getValue)
                .findFirst()
                .orElse(DriverIds.RDMA_DRIVER_UNKNOWN);
    }
}
