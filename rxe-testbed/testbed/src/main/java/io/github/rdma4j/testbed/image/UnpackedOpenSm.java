// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.image;

import io.github.rdma4j.testbed.host.Progress;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.host.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Debian's OpenSM, an InfiniBand subnet manager, unpacked into the testbed's cache. It is never installed: the package
 * enables a service that manages the subnet of every InfiniBand port of the machine, from the installation on and at
 * every boot. Unpacked, it runs when a test starts it, and on the fabric that the test simulates.
 */
public final class UnpackedOpenSm {
    /** The suite whose OpenSM the tests were written against, whatever the machine runs. */
    private static final String SUITE = "bookworm";

    // libibumad comes with the simulator, which has to be installed anyway; what libtirpc needs comes with iproute2.
    private static final String PARTS = "opensm|lib(osmcomp|osmvendor|opensm|wrap|nsl)\\d+";

    private final Path home;

    private UnpackedOpenSm(Path home) {
        this.home = home;
    }

    /** Finds OpenSM in the cache; downloads and unpacks it at its first use. Fails if it does not run on this machine. */
    public static UnpackedOpenSm prepare(CacheDirectory cache, Map<String, String> environment, Progress progress)
            throws TestbedException, InterruptedException {
        Path home = cache.entry(
                entry(),
                target -> AptRoot.unpack(SUITE, "opensm", UnpackedOpenSm::isPart, environment, target, progress));
        UnpackedOpenSm openSm = new UnpackedOpenSm(home);
        progress.step("trying OpenSM");
        Tool.run(
                "env",
                "LD_LIBRARY_PATH=" + openSm.libraryPath(),
                openSm.program().toString(),
                "--version");
        progress.finish();
        return openSm;
    }

    /** Finds OpenSM in the cache of an environment, which {@code testbed setup --opensm} has put it into. */
    public static Optional<UnpackedOpenSm> find(Map<String, String> environment) {
        Path home = CacheDirectory.of(environment).root().resolve(entry());
        return Files.isDirectory(home) ? Optional.of(new UnpackedOpenSm(home)) : Optional.empty();
    }

    static boolean isPart(String packageName) {
        return packageName.matches(PARTS);
    }

    private static String entry() {
        return "opensm-" + SUITE;
    }

    /** The executable file, to be run with {@link #libraryPath()}. */
    public Path program() {
        return home.resolve("usr/sbin/opensm");
    }

    /** The value of {@code LD_LIBRARY_PATH} with which the program finds the libraries that were unpacked with it. */
    public String libraryPath() {
        return home.resolve("usr/lib/x86_64-linux-gnu") + ":" + home.resolve("lib/x86_64-linux-gnu");
    }
}
