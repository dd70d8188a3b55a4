// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.UnpackedPackage;
import io.github.rdma4j.testbed.machine.RuntimeDirectory;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;

/**
 * A Docker engine of the tests' own, from unpacked packages, for as long as this JVM. It lives in namespaces of its own, so
 * that it and all its containers end with this JVM, even if that is killed, and nothing of it stays on this machine.
 */
final class OwnEngine {
    private static final int LIMIT_SECONDS = 60;

    /** Without a bridge and rules of a firewall, which would change the machine; the containers of the tests need neither. */
    private static final List<String> OPTIONS =
            List.of("--storage-driver=vfs", "--iptables=false", "--ip6tables=false", "--bridge=none");

    /** Runs the engine until the standard input ends, which is when this JVM has ended, and removes its directory. */
    private static final String KEEPER = """
            directory=$1
            groups=$2
            shift 2
            exec 3<&0
            "$@" 3<&- &
            cat <&3 > /dev/null
            kill -KILL $! 2> /dev/null
            wait
            left() {
                ls -d "$directory" 2> /dev/null
                find /sys/fs/cgroup -depth -type d \\( -path "*/$groups" -o -path "*/$groups/*" \\)
            }
            # The last processes of the namespace may take a moment to die.
            for try in $(seq 100); do
                rm -rf "$directory"
                left | xargs -r rmdir 2> /dev/null
                [ -n "$(left)" ] || exit 0
                sleep 0.1
            done
            """;

    private static @Nullable OwnEngine started;

    private final RuntimeDirectory directory;
    private final Process process;

    private OwnEngine(RuntimeDirectory directory, Process process) {
        this.directory = directory;
        this.process = process;
    }

    /** Why no engine can be started here; empty if one can. */
    static String obstacle() {
        if (UnpackedPackage.find(UnpackedPackage.Kind.DOCKER, System.getenv()).isEmpty()) {
            return "there is no Docker engine in the cache "
                    + CacheDirectory.of(System.getenv()).root() + ": ./rdma4j testbed setup --docker";
        }
        return "root".equals(System.getProperty("user.name")) ? "" : "only root can start a Docker engine";
    }

    /** Whether Testcontainers uses this engine, because no other answers. */
    static boolean isUsed() {
        return DockerClientFactory.instance().isDockerAvailable() && started != null;
    }

    /** Fails if there is no engine, of whatever kind, with what to do. */
    static void require() {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new AssertionError(
                    "no Docker engine runs here that this user may use, and the tests cannot start one: " + obstacle()
                            + "; -Dcontainers.skip=true leaves these tests out");
        }
    }

    /** The engine of this JVM, which starts at the first call. */
    static OwnEngine get() throws IOException {
        OwnEngine engine = started;
        if (engine == null) {
            engine = start();
            started = engine;
        }
        return engine;
    }

    private static OwnEngine start() throws IOException {
        UnpackedPackage docker = UnpackedPackage.find(UnpackedPackage.Kind.DOCKER, System.getenv())
                .orElseThrow(() -> new IOException(obstacle()));
        RuntimeDirectory directory = RuntimeDirectory.create();
        OwnEngine engine =
                new OwnEngine(directory, builder(docker, directory.path()).start());
        engine.awaitSocket();
        return engine;
    }

    private static ProcessBuilder builder(UnpackedPackage docker, Path directory) {
        String groups = "rdma4j-" + directory.getFileName();
        List<String> line = new ArrayList<>(List.of("setsid", "sh", "-c", KEEPER, "sh", directory.toString(), groups));
        line.addAll(List.of("unshare", "--pid", "--mount-proc", "--fork", "--kill-child"));
        // /run is where a part of the engine keeps sockets, wherever the rest is told to go.
        line.addAll(List.of("sh", "-c", "mount -t tmpfs run /run && exec tini -g -- \"$@\"", "sh"));
        line.add(docker.program().toString());
        line.addAll(OPTIONS);
        line.add("--cgroup-parent=/" + groups);
        line.add("--data-root=" + directory.resolve("data"));
        line.add("--exec-root=" + directory.resolve("exec"));
        line.add("--pidfile=" + directory.resolve("pid"));
        line.add("--host=unix://" + directory.resolve("socket"));
        ProcessBuilder builder = new ProcessBuilder(line);
        String path = System.getenv().getOrDefault("PATH", "");
        builder.environment().put("PATH", docker.path() + ":" + path + ":/usr/sbin:/sbin");
        builder.redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile());
        return builder;
    }

    private void awaitSocket() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (!answers()) {
            if (System.nanoTime() > deadline) {
                throw new IOException(
                        "the Docker engine does not start:\n" + Files.readString(directory.resolve("log")));
            }
            pause();
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private boolean answers() {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(directory.resolve("socket")));
        } catch (IOException e) {
            return false;
        }
    }

    URI address() {
        return URI.create("unix://" + directory.resolve("socket"));
    }

    /** The process above all others of the engine and its containers. */
    ProcessHandle process() {
        return process.toHandle();
    }

    /** Ends the engine as a power failure would. */
    void kill() {
        process.children().forEach(ProcessHandle::destroyForcibly);
    }
}
