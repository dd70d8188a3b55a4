// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.lab.mlx5.kernel;

import java.util.List;

/** A protection domain. */
final class PdObject extends KernelObject {
    private final int number;

    PdObject(int number) {
        super("pd", List.of());
        this.number = number;
    }

    int number() {
        return number;
    }
}
