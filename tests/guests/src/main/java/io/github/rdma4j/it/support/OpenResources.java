// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.support;

import io.github.rdma4j.support.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a class that leaves a descriptor of an RDMA device, of a completion channel or of asynchronous events open, or a
 * ring mapped.
 */
public final class OpenResources implements BeforeAllCallback, AfterAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(OpenResources.class);
    private static final String BEFORE = "before";

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getStore(NAMESPACE).put(BEFORE, now());
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
