// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.discovery;

import io.github.rdma4j.internal.uverbs.DriverIds;
import java.util.List;
import java.util.Map;

/** Driver names by number, and a guess of the driver from a device name. */
public final class DriverNames {
    /** By the numbers of {@link DriverIds}. */
    private static final List<String> NAMES = List.of(
            "unknown mlx5 mlx4 cxgb3 cxgb4 mthca bnxt_re ocrdma nes irdma vmw_pvrdma qedr hns usnic rxe hfi1 qib efa siw erdma"
                    .split(" "));

    /** Drivers whose devices are named after the driver unless an administrator renames them. */
    private static final Map<String, Integer> DEVICE_NAME_PREFIXES = Map.of(
            "rxe", DriverIds.RDMA_DRIVER_RXE,
            "siw", DriverIds.RDMA_DRIVER_SIW,
            "mlx4_", DriverIds.RDMA_DRIVER_MLX4,
            "mlx5_", DriverIds.RDMA_DRIVER_MLX5,
            "erdma_", DriverIds.RDMA_DRIVER_ERDMA);

    private DriverNames() {}

    public static String name(int driverId) {
        return driverId >= 0 && driverId < NAMES.size() ? NAMES.get(driverId) : "driver " + driverId;
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
