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
 * Debian's Docker engine, unpacked into the testbed's cache. It is never installed: the package enables a service that
 * listens for root's commands from then on and at every boot, and changes the machine's network. Unpacked, it runs when a
 * test starts it, and for as long as the test.
 */
public final class UnpackedDocker {
    /** The suite whose engine the tests were written against, whatever the machine runs. */
    private static final String SUITE = "bookworm";

    private static final String PARTS = "docker\\.io|containerd|runc|tini";

    private final Path home;

    private UnpackedDocker(Path home) {
        this.home = home;
    }

    /** Finds the engine in the cache; downloads (65 MB) and unpacks it at its first use. Fails if it does not run here. */
    public static UnpackedDocker prepare(CacheDirectory cache, Map<String, String> environment, Progress progress)
            throws TestbedException, InterruptedException {
        Path home = cache.entry(
                entry(),
                target -> AptRoot.unpack(SUITE, "docker.io", UnpackedDocker::isPart, environment, target, progress));
        UnpackedDocker docker = new UnpackedDocker(home);
        progress.step("trying the Docker engine");
        Tool.run(docker.engine().toString(), "--version");
        progress.finish();
        return docker;
    }

    /** Finds the engine in the cache of an environment, which {@code testbed setup --docker} has put it into. */
    public static Optional<UnpackedDocker> find(Map<String, String> environment) {
        Path home = CacheDirectory.of(environment).root().resolve(entry());
        return Files.isDirectory(home) ? Optional.of(new UnpackedDocker(home)) : Optional.empty();
    }

    static boolean isPart(String packageName) {
        return packageName.matches(PARTS);
    }

    private static String entry() {
        return "docker-" + SUITE;
    }

    /** The engine, to be run with {@link #path()} before the {@code PATH}. */
    public Path engine() {
        return home.resolve("usr/sbin/dockerd");
    }

    /** The command line. */
    public Path client() {
        return home.resolve("usr/bin/docker");
    }

    /** The directories with the programs that the engine starts, as a part of a {@code PATH}. */
    public String path() {
        return home.resolve("usr/bin") + ":" + home.resolve("usr/sbin");
    }
}
