// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What the process has of the kernel, in one line. */
final class Resources {
    private Resources() {}

    /** The objects of the device as {@code rdma resource} counts them, and the descriptors of this process. */
    static String now() throws IOException {
        Process process = new ProcessBuilder("rdma", "resource", "show")
                .redirectErrorStream(true)
                .start();
        String objects = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .replaceAll("\\s+", " ");
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return objects + ", " + descriptors.count() + " descriptors";
        }
    }
}
