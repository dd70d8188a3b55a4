// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.rdma4j.internal.uverbs.DriverIds;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which cards programs can use. */
class CardProvidersTest {
    private static RdmaDevice device(int driver, String name, int abi) {
        return new RdmaDevice(
                0,
                "some0",
                1,
                RdmaDevice.NodeType.CA,
                "roce",
                1,
                Optional.of("uverbs0"),
                231L << 8 | 192,
                driver,
                name,
                abi);
    }

    @Test
    void mappedDoorbellsAreRefusedWhereNoCardHasProvenThem() {
        RdmaDevice mapped = device(DriverIds.RDMA_DRIVER_MLX5, "mlx5", 1);
        assertThat(Providers.objection(mapped, "amd64")).isEmpty();
        assertThat(Providers.objection(mapped, "aarch64").orElseThrow())
                .startsWith("the order of its doorbells is not proven on aarch64")
                .contains("-Drdma4j.unproven.doorbells=true");
        assertThat(Providers.objection(device(DriverIds.RDMA_DRIVER_VMW_PVRDMA, "vmw_pvrdma", 3), "aarch64"))
                .isPresent();
        assertThat(Providers.objection(device(DriverIds.RDMA_DRIVER_ERDMA, "erdma", 1), "aarch64"))
                .isPresent();
        assertThat(Providers.objection(device(DriverIds.RDMA_DRIVER_MLX4, "mlx4", 4), "aarch64"))
                .isPresent();
        assertThat(Providers.objection(device(DriverIds.RDMA_DRIVER_IRDMA, "irdma", 5), "aarch64"))
                .isPresent();
        assertThat(Providers.objection(device(DriverIds.RDMA_DRIVER_RXE, "rxe", 2), "aarch64"))
                .isEmpty();
        assertThat(Providers.objection(device(DriverIds.RDMA_DRIVER_SIW, "siw", 1), "aarch64"))
                .isEmpty();
    }

    @Test
    void knowsTwoVersionsOfTheAbiOfMlx4() {
        for (int abi = 3; abi <= 4; abi++) {
            assertThat(Providers.objection(device(DriverIds.RDMA_DRIVER_MLX4, "mlx4", abi), "amd64"))
                    .isEmpty();
        }
        assertThat(Providers.objection(device(DriverIds.RDMA_DRIVER_MLX4, "mlx4", 5), "amd64"))
                .contains("its provider supports ABI 3 to 4");
    }
}
