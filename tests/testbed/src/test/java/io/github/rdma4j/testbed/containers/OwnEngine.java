// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.image.CacheDirectory;
import io.github.rdma4j.testbed.image.UnpackedDocker;
import io.github.rdma4j.testbed.machine.RuntimeDirectory;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

    private static @Nullable OwnEngine started;

    private final RuntimeDirectory directory;
    private final Process process;

    private OwnEngine(RuntimeDirectory directory, Process process) {
        this.directory = directory;
        this.process = process;
    }

    /** Why no engine can be started here; empty if one can. */
    static String obstacle() {
        if (UnpackedDocker.find(System.getenv()).isEmpty()) {
            return "there is no Docker engine in the cache "
                    + CacheDirectory.of(System.getenv()).root() + ": ./rdma4j testbed setup --docker";
        }
        return "root".equals(System.getProperty("user.name")) ? "" : "only root can start a Docker engine";
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
        UnpackedDocker docker = UnpackedDocker.find(System.getenv()).orElseThrow(() -> new IOException(obstacle()));
        RuntimeDirectory directory = RuntimeDirectory.create();
        CompletableFuture<Process> starting = new CompletableFuture<>();
        // The engine is killed when the thread that started it ends, so the thread stays.
        Thread unused = Daemon.start("docker", () -> {
            try {
                Process process = builder(docker, directory.path()).start();
                starting.complete(process);
                process.waitFor();
            } catch (IOException e) {
                starting.completeExceptionally(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        OwnEngine engine = new OwnEngine(directory, starting.join());
        Runtime.getRuntime().addShutdownHook(new Thread(engine::end));
        engine.awaitSocket();
        return engine;
    }

    private static ProcessBuilder builder(UnpackedDocker docker, Path directory) {
        List<String> line = new java.util.ArrayList<>(List.of(
                "setpriv", "--pdeathsig", "KILL", "unshare", "--pid", "--mount-proc", "--fork", "--kill-child"));
        // /run is where a part of the engine keeps sockets, wherever the rest is told to go.
        line.addAll(List.of("sh", "-c", "mount -t tmpfs run /run && exec tini -g -- \"$@\"", "sh"));
        line.add(docker.engine().toString());
        line.addAll(OPTIONS);
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
            if (!process.isAlive() || System.nanoTime() > deadline) {
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
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    // The engine puts its things away if it is asked to end; what it forgets goes with the namespaces.
    private void end() {
        try {
            process.children().forEach(ProcessHandle::destroy);
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                kill();
            }
            directory.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            System.err.println("the directory of the Docker engine stays: " + e);
        }
    }
}
