// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.stress.api;

import io.github.rdma4j.kernel.Kernel;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;

/** The kernel and the device on which the random calls are made. */
interface Bed extends AutoCloseable {
    /** The kernel of all descriptors. */
    Kernel kernel();

    /** The name of the device. */
    String device();

    /** An address of the device, with a port that is free. */
    InetSocketAddress address();

    /** New objects in states that random calls reach rarely, such as connected queue pairs. */
    List<Object> make() throws Exception;

    /** The methods that must not be called on the bed. */
    default Set<String> leftOut() {
        return Set.of();
    }

    /** The objects that remain in the kernel after everything was closed; empty if there are none. */
    String left();

    @Override
    default void close() {}
}
