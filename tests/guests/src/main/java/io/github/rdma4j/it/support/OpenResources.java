// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.support.Await;
import io.github.rdma4j.testbed.Testbed;
import io.github.rdma4j.testbed.junit.SoftRoce;
import io.github.rdma4j.verbs.RdmaDevices;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Fails a class without the device of its {@link SoftRoce}, and a class that leaves a descriptor of an RDMA device, of a
 * completion channel or of asynchronous events open, or a ring mapped.
 */
public final class OpenResources implements BeforeAllCallback, AfterAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(OpenResources.class);
    private static final String BEFORE = "before";

    @Override
    public void beforeAll(ExtensionContext context) throws RdmaException {
        Optional<SoftRoce> annotation = AnnotationSupport.findAnnotation(context.getElement(), SoftRoce.class);
        if (annotation.isPresent()) {
            require(annotation.get().device());
        }
        context.getStore(NAMESPACE).put(BEFORE, now());
    }

    /** Turns the lack of a device into one clear failure for each class. */
    private static void require(Testbed.Device device) throws RdmaException {
        String name = switch (device) {
            case SIW -> Siw.DEVICE;
            case IB -> Ib.DEVICE;
            case PVRDMA -> Pvrdma.DEVICE;
            default -> Rxe.DEVICE;
        };
        Path node = Path.of("/dev/infiniband", device == Testbed.Device.PVRDMA ? "uverbs0" : "rdma_cm");
        if (!Files.exists(node)) {
            throw new AssertionError("no " + node + ": these tests run in a guest of the testbed with the device "
                    + name + ", or on a machine that is set up like one");
        }
        RdmaDevices.find(Kernel.running(), name);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        List<?> before = context.getStore(NAMESPACE).get(BEFORE, List.class);
        if (Await.holds(Await.LIMIT, () -> now().size() <= before.size())) {
            return;
        }
        throw new AssertionError("left open: " + now() + "; before the class: " + before);
    }

    /** What this process has open of RDMA devices: descriptors by what they refer to, mappings by their file. */
    public static List<String> now() {
        List<String> open = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            descriptors.map(OpenResources::target).filter(OpenResources::isRdma).forEach(open::add);
            Files.readAllLines(Path.of("/proc/self/maps")).stream()
                    .filter(line -> line.contains("/dev/infiniband/"))
                    .forEach(open::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return open;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }

    private static boolean isRdma(String target) {
        return target.startsWith("/dev/infiniband/") || target.contains("infinibandevent");
    }
}
