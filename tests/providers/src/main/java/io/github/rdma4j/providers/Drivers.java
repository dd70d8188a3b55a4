// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers;

import io.github.rdma4j.providers.bnxt.BnxtMode;
import io.github.rdma4j.providers.erdma.ErdmaMode;
import io.github.rdma4j.providers.irdma.IrdmaMode;
import io.github.rdma4j.providers.mlx4.Mlx4Mode;
import io.github.rdma4j.providers.mlx5.Mlx5Mode;
import io.github.rdma4j.providers.script.Driver;
import io.github.rdma4j.providers.script.Mode;
import java.util.List;
import java.util.Optional;

/** The drivers whose providers are compared with their libraries in C. */
public final class Drivers {
    private static final List<Driver> ALL =
            List.of(Mlx5Mode.DRIVER, Mlx4Mode.DRIVER, ErdmaMode.DRIVER, IrdmaMode.DRIVER, BnxtMode.DRIVER);

    private Drivers() {}

    /** All drivers. */
    public static List<Driver> all() {
        return ALL;
    }

    /** The modes of all drivers. */
    public static List<Mode> modes() {
        return ALL.stream().flatMap(driver -> driver.modes().stream()).toList();
    }

    /** The driver that is called {@code name}. */
    public static Optional<Driver> of(String name) {
        return ALL.stream().filter(driver -> driver.name().equals(name)).findFirst();
    }
}
