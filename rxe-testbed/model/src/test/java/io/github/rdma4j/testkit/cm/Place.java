// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.cm;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;

/** Where an RDMA device and a connection manager are: a model, or the kernel of a guest. */
interface Place {
    /** How many ports the tests of this JVM have used. */
    AtomicInteger PORTS = new AtomicInteger();

    Kernel kernel();

    /** The address of the device. */
    InetAddress address();

    /** An address of the device, with a port that none of the last 8,000 calls has returned. */
    default InetSocketAddress newAddress() {
        return new InetSocketAddress(address(), 24_000 + Math.floorMod(PORTS.incrementAndGet(), 8_000));
    }

    /** Fails when something is left of the test, where that can be seen. */
    void assertNothingLeft();

    static Place of(ModelRdmaCm model) {
        return new Place() {
            @Override
            public Kernel kernel() {
                return model.kernel();
            }

            @Override
            public InetAddress address() {
                return model.address();
            }

            @Override
            public void assertNothingLeft() {
                model.assertNothingLeft();
            }
        };
    }

    /** The kernel that runs this JVM; the guests of the testbed have the address of the model. */
    static Place running() {
        return new Place() {
            @Override
            public Kernel kernel() {
                return Kernel.running();
            }

            @Override
            public InetAddress address() {
                return new ModelRdmaCm().address();
            }

            @Override
            public void assertNothingLeft() {
                // Other programs may have ids.
            }
        };
    }
}
