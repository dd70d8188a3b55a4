// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.providers.script;

import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.UnpackedPackage;
import io.github.rdma4j.testbed.image.Workshop;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The libibverbs and the library of a driver that a program in C runs with.
 *
 * @param starter what the command that starts the program begins with
 * @param environment more variables of the program's environment
 */
public record Libraries(List<String> starter, Map<String, String> environment) {
    /** The libraries of this machine. */
    public static final Libraries INSTALLED = new Libraries(List.of(), Map.of());

    /** Where libraries come from; they may have to be downloaded. */
    @FunctionalInterface
    public interface Source {
        Libraries get() throws IOException, InterruptedException;
    }

    /** Those of rdma-core 56, for the library {@code name}; they are downloaded at the first use, and not installed. */
    public static Libraries ofRdmaCore56(String name) throws IOException, InterruptedException {
        return of(UnpackedPackage.Kind.RDMA_CORE, name);
    }

    /** Those of rdma-core 65, or of what Debian's testing suite has by now, as {@link #ofRdmaCore56} has the older ones. */
    public static Libraries ofRdmaCore65(String name) throws IOException, InterruptedException {
        return of(UnpackedPackage.Kind.NEWER_RDMA_CORE, name);
    }

    private static Libraries of(UnpackedPackage.Kind kind, String name) throws IOException, InterruptedException {
        UnpackedPackage unpacked = unpacked(kind);
        String directory = unpacked.home().resolve("usr/lib/x86_64-linux-gnu").toString();
        return new Libraries(
                List.of(unpacked.program().toString(), "--library-path", directory),
                // Asked first, so that the library of this machine is not.
                Map.of("IBV_DRIVERS", directory + "/libibverbs/lib" + name));
    }

    private static UnpackedPackage unpacked(UnpackedPackage.Kind kind) throws IOException, InterruptedException {
        Optional<UnpackedPackage> found = UnpackedPackage.find(kind, System.getenv());
        if (found.isPresent()) {
            return found.get();
        }
        try {
            return UnpackedPackage.prepare(kind, Workshop.ofThisProcess(Progress.onStandardError()));
        } catch (TestbedException e) {
            throw new IOException("the libraries of rdma-core: " + e.getMessage(), e);
        }
    }
}
