// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.testbed.Testbed;
import io.github.rdma4j.testbed.junit.SoftRoce;
import io.github.rdma4j.verbs.RdmaDevices;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Turns the lack of the device that {@link SoftRoce} names into one clear failure for each class. */
public final class RequiredDevice implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) throws RdmaException {
        // Of a nested class, a class around it has the annotation.
        Testbed.Device device = AnnotationSupport.findAnnotation(
                        context.getRequiredTestClass(), SoftRoce.class, context.getEnclosingTestClasses())
                .orElseThrow()
                .device();
        Path node = Path.of("/dev/infiniband", device == Testbed.Device.PVRDMA ? "uverbs0" : "rdma_cm");
        if (!Files.exists(node)) {
            throw new AssertionError("no " + node + ": tests of " + device
                    + " run in a guest of the testbed with this device, or on a machine that is set up like one");
        }
        RdmaDevices.find(Kernel.running(), name(device));
    }

    private static String name(Testbed.Device device) {
        return switch (device) {
            case RXE -> Rxe.DEVICE;
            case SIW -> Siw.DEVICE;
            case IB -> Ib.DEVICE;
            case PVRDMA -> Pvrdma.DEVICE;
            case NONE -> throw new IllegalArgumentException("a test that requires no device");
        };
    }
}
