// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.micro;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.providers.instant.InstantKernel;
import io.github.rdma4j.verbs.DeviceContext;

/** Makes objects for fields of benchmarks, whose initialisers throw no checked exception. */
final class Setups {
    private Setups() {}

    @FunctionalInterface
    interface Making<T> {
        T make() throws RdmaException;
    }

    static <T> T of(Making<T> making) {
        try {
            return making.make();
        } catch (RdmaException e) {
            throw new IllegalStateException(e);
        }
    }

    static DeviceContext open(InstantKernel kernel) {
        return of(kernel::openDevice);
    }
}
