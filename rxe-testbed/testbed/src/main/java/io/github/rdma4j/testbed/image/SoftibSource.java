// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Resource;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The source of InfiniBand in software: changes of the kernel's driver rxe, and the files that it gets. */
final class SoftibSource {
    /** The driver's directory in the kernel's source. */
    static final String DRIVER = "drivers/infiniband/sw/rxe";

    private static final String PATCH = "softib.patch";
    private static final List<String> FILES = List.of("softib.h", "softib_compat.h", "softib.c", "softib_mad.c");

    private SoftibSource() {}

    /**
     * Changes the driver in an unpacked source of a kernel.
     *
     * @param kept the directory that gets a copy of this source, for those who get the built driver
     */
    static void addTo(Path kernelSource, Path kept) throws TestbedException, IOException, InterruptedException {
        for (String file : FILES) {
            Files.write(kept.resolve(file), bytes(file));
            Files.copy(kept.resolve(file), kernelSource.resolve(DRIVER).resolve(file));
        }
        Path patch = kept.resolve(PATCH);
        Files.write(patch, bytes(PATCH));
        patch(kernelSource, patch);
    }

    static void patch(Path kernelSource, Path patch) throws TestbedException, InterruptedException {
        Tool.run("patch", "-s", "-p1", "-F0", "-d", kernelSource.toString(), "-i", patch.toString());
    }

    /** Differs, most probably, from the value of any other source. */
    static int fingerprint() {
        return Resource.hash(
                0,
                Stream.concat(Stream.of(PATCH), FILES.stream())
                        .map(file -> "softib/" + file)
                        .toList());
    }

    private static byte[] bytes(String file) {
        return Resource.bytes("softib/" + file);
    }
}
