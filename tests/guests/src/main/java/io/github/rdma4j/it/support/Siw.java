// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.RdmaDevices;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The soft-iWARP device of a guest with {@code --device siw}; it has the addresses of {@link Rxe}. */
public final class Siw {
    public static final String DEVICE = "siw0";

    private Siw() {}

    /** Turns the lack of a device into one clear failure for each class. */
    static final class Required implements BeforeAllCallback {
        @Override
        public void beforeAll(ExtensionContext context) throws RdmaException {
            Path node = Path.of("/dev/infiniband/rdma_cm");
            if (!Files.exists(node)) {
                throw new AssertionError(
                        "no " + node + ": tests of soft-iWARP run in a guest of the testbed with this device");
            }
            RdmaDevices.find(Kernel.running(), DEVICE);
        }
    }
}
