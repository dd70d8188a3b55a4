// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed;

import io.github.rdma4j.testbed.exec.ExecChannel;
import io.github.rdma4j.testbed.exec.ExecClient;
import io.github.rdma4j.testbed.exec.PortForward;
import io.github.rdma4j.testbed.exec.Tree;
import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.Deadline;
import io.github.rdma4j.testbed.host.Resource;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A machine of a testbed. A node sees the files of this machine at the same paths. Files that a node writes stay in its
 * memory, except in a {@link Testbed.Builder#share}. Commands run as root of the node. Thread-safe.
 *
 * <p>Every wait ends with a {@link TestbedFailureException} when the node fails, when its exec server is killed, or
 * when the testbed is closed.
 *
 * <pre>{@code
 * GuestProcess server = testbed.node(2).start("rping", "-s", "-C", "3", "-a", "10.77.0.2");
 * ExecResult client = testbed.node(1).exec("sh", "-c", "until rping -c -C 3 -a 10.77.0.2; do sleep 0.1; done");
 * client.requireSuccess();
 * server.waitFor();
 * }</pre>
 */
public final class Node {
    private static final int COPY_BUFFER = 65536;
    private static final int SIGNAL_STATUS_BASE = 128;
    private static final Duration KILL_LIMIT = Duration.ofSeconds(5);

    /** The limit for commands of faults. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final NodeRuntime runtime;
    private final String kernelRelease;
    private final Optional<String> device;
    private final String linkType;
    private final List<String> networkDevices;
    private final AtomicBoolean impaired = new AtomicBoolean();
    private final AtomicBoolean removed = new AtomicBoolean();

    Node(NodeRuntime runtime, List<String> facts, String linkType, List<String> networkDevices) {
        this.runtime = runtime;
        this.kernelRelease = facts.get(0);
        this.device = Optional.of(facts.get(1)).filter(name -> !name.isEmpty());
        this.linkType = linkType;
        this.networkDevices = networkDevices;
    }

    /** The number of the node, from 1. */
    public int number() {
        return runtime.number;
    }

    /** The IPv4 address under the RDMA device: 10.77.0.N. */
    public InetAddress ipv4Address() {
        return address(new byte[] {10, 77, 0, (byte) number()});
    }

    /** The IPv6 address under the RDMA device: fd77::N. */
    public InetAddress ipv6Address() {
        return address(new byte[] {(byte) 0xfd, 0x77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) number()});
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (java.net.UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The name of the RDMA device with which the node was started, such as {@code rxe0}; empty for {@link
     * Testbed.Device#NONE}.
     */
    public Optional<String> device() {
        return device;
    }

    /** The name of the network device under the RDMA device: {@code eth0}, or {@code veth0} on a node that is alone. */
    public String networkDevice() {
        return networkDevices.get(0);
    }

    /** The release of the node's kernel, such as {@code 6.1.0-50-amd64}. */
    public String kernelRelease() {
        return kernelRelease;
    }

    /** Runs a command to its end; as {@link #exec(Command)}. */
    public ExecResult exec(String program, String... arguments) throws IOException, InterruptedException {
        return exec(Command.of(program, arguments));
    }

    /**
     * Runs a command to its end and keeps all its output in memory. A status other than 0 is a result, not an
     * exception. If the waiting thread is interrupted, the command is killed. Processes that the command leaves behind
     * run on with closed standard streams, until they end or the testbed is closed.
     *
     * @throws CommandTimeoutException if the command does not end within its timeout
     */
    public ExecResult exec(Command command) throws IOException, InterruptedException {
        ExecChannel channel = command.start(runtime.client);
        boolean ended = false;
        try {
            channel.keepAllOutput();
            feed(channel, command.input());
            ended = channel.awaitExit(command.timeout().map(Deadline::after).orElseGet(Deadline::never));
            if (ended) {
                return result(channel, command);
            }
        } finally {
            if (!ended) {
                channel.signal(GuestProcess.Signal.KILL.number(), true);
            }
        }
        // A frozen node does not act on the signal.
        ExecResult result = channel.awaitExit(Deadline.after(KILL_LIMIT))
                ? result(channel, command)
                : new ExecResult(
                        number(),
                        command,
                        SIGNAL_STATUS_BASE + GuestProcess.Signal.KILL.number(),
                        channel.outputSoFar(),
                        channel.errorSoFar());
        throw new CommandTimeoutException(command, command.timeout().orElseThrow(), result);
    }

    private ExecResult result(ExecChannel channel, Command command) throws IOException {
        return new ExecResult(
                number(),
                command,
                channel.status(),
                channel.output().readAllBytes(),
                channel.error().readAllBytes());
    }

    private static void feed(ExecChannel channel, byte[] input) {
        Runnable body = () -> {
            try (OutputStream stream = channel.input()) {
                stream.write(input);
            } catch (IOException e) {
                // The command did not read all of its input.
                return;
            }
        };
        if (input.length == 0) {
            body.run();
        } else {
            Daemon.start("input", body);
        }
    }

    /** Starts a command; as {@link #start(Command)}. */
    public GuestProcess start(String program, String... arguments) throws IOException {
        return start(Command.of(program, arguments));
    }

    /**
     * Starts a command and returns when its process exists. Only {@link #exec} uses the command's input and timeout.
     */
    public GuestProcess start(Command command) throws IOException {
        ExecChannel channel = command.start(runtime.client);
        try {
            return new GuestProcess(channel, command);
        } catch (IOException e) {
            channel.signal(GuestProcess.Signal.KILL.number(), true);
            throw e;
        }
    }

    /** Writes a file of the node with mode 0644. Makes missing parent directories. */
    public void write(String path, byte[] content) throws IOException, InterruptedException {
        ExecChannel channel = runtime.client.start("write", path, "644");
        feed(channel, content);
        finish(channel);
    }

    /**
     * Copies a file or a directory tree of this machine to the node, with permissions. Makes missing parent
     * directories. Symbolic links are copied as links. Existing files and links are replaced; other content of an
     * existing directory stays. Owners and times are not copied.
     */
    public void copyTo(Path source, String path) throws IOException, InterruptedException {
        boolean tree = Files.isDirectory(source);
        ExecChannel channel = tree
                ? runtime.client.start("import", path)
                : runtime.client.start("write", path, Integer.toOctalString(Tree.mode(source)));
        boolean copied = false;
        try (OutputStream input = channel.input()) {
            if (tree) {
                BufferedOutputStream buffered = new BufferedOutputStream(input, COPY_BUFFER);
                Tree.write(source, buffered);
                buffered.flush();
            } else {
                Files.copy(source, input);
            }
            copied = true;
        } catch (FileSystemException e) {
            // The failure concerns a file of this machine.
            throw e;
        } catch (IOException e) {
            // The node has the reason.
            finish(channel);
            throw e;
        } finally {
            if (!copied) {
                channel.signal(GuestProcess.Signal.KILL.number(), true);
            }
        }
        finish(channel);
    }

    /** The content of a file of the node. */
    public byte[] read(String path) throws IOException, InterruptedException {
        ExecChannel channel = runtime.client.start("read", path);
        channel.keepAllOutput();
        finish(channel);
        return channel.output().readAllBytes();
    }

    /**
     * Copies a file or a directory tree of the node to this machine. The content of an existing file is replaced. A
     * tree is merged with an existing directory, as {@link #copyTo} does.
     */
    public void copyFrom(String path, Path target) throws IOException, InterruptedException {
        ExecChannel channel = runtime.client.start("export", path);
        try (InputStream output = new BufferedInputStream(channel.output(), COPY_BUFFER)) {
            int type = output.read();
            if (type == 'f') {
                try (OutputStream out = Files.newOutputStream(target)) {
                    output.transferTo(out);
                }
            } else if (type == 'd') {
                Tree.read(output, target);
            }
        } catch (EOFException e) {
            // The node has the reason why it sent no more.
            finish(channel);
            throw e;
        }
        finish(channel);
    }

    private void finish(ExecChannel channel) throws IOException, InterruptedException {
        channel.awaitExit(Deadline.never());
        if (channel.status() != 0) {
            String reason = new String(channel.error().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            throw new IOException("node " + number() + ": " + reason.strip());
        }
    }

    /** The log of the node's kernel, as {@code dmesg} prints it. */
    public String kernelLog() throws IOException, InterruptedException {
        return exec("dmesg").requireSuccess().stdout();
    }

    /**
     * Forwards a free port of this machine to a port of the node's loopback address, for example for a debugger of a
     * JVM on the node.
     */
    public ForwardedPort forward(int port) throws IOException {
        return forward("127.0.0.1", port);
    }

    /** As {@link #forward(int)}, to an IPv4 address that the node reaches. */
    public ForwardedPort forward(String host, int port) throws IOException {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("a port is 1 to 65535, not " + port);
        }
        return new ForwardedPort(runtime.client, host, port);
    }

    /**
     * Applies faults to all frames that the RDMA device of the node sends, until the result is closed. The device of a
     * single node sends no frames.
     *
     * @throws IllegalStateException if the node already has such faults; one {@link Netem} can hold several faults
     */
    public Closeable impair(Netem faults) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("qdisc", "replace", "dev", networkDevice(), "root"));
        line.addAll(faults.arguments());
        Command command = Command.of("tc", line.toArray(String[]::new));
        cause(impaired, this + " has such faults already; close them first", command);
        return fault(faults + " on " + this, () -> {
            run(Command.of("tc", "qdisc", "del", "dev", networkDevice(), "root"));
            impaired.set(false);
        });
    }

    /**
     * Removes the RDMA device, as {@code rdma link del} does: programs that use the device are told. Closing the result
     * makes the device again and returns when the device is active.
     *
     * @throws IllegalStateException if the device has been removed, or cannot be removed
     */
    public Closeable removeDevice() throws IOException, InterruptedException {
        if (linkType.isEmpty()) {
            throw new IllegalStateException("only rxe, siw and ib devices can be removed");
        }
        String name = device.orElse("");
        cause(removed, "the device of " + this + " is removed already", Command.of("rdma", "link", "del", name));
        return fault("removal of " + name + " on " + this, () -> {
            String script = linkType.equals("softib") ? "guest/make-infiniband.sh" : "guest/make-device.sh";
            String secondPort = networkDevices.size() == 1 ? "" : "+" + networkDevices.get(1);
            run(Command.of("sh", "-c", Resource.text(script), "sh", name, linkType, networkDevice(), secondPort));
            removed.set(false);
        });
    }

    private void cause(AtomicBoolean claimed, String message, Command command)
            throws IOException, InterruptedException {
        if (!claimed.compareAndSet(false, true)) {
            throw new IllegalStateException(message);
        }
        boolean done = false;
        try {
            run(command);
            done = true;
        } finally {
            claimed.set(done);
        }
    }

    private void run(Command command) throws IOException, InterruptedException {
        run(command, PATIENCE);
    }

    /** Runs a command that has to succeed within a time. */
    void run(Command command, Duration limit) throws IOException, InterruptedException {
        exec(command.toBuilder().timeout(limit).build()).requireSuccess();
    }

    /**
     * Stops the whole node until the result is closed: no program runs, frames to the node are lost, and commands wait.
     * The node's clock goes on. A frozen node does not count as a node that hangs.
     */
    public Closeable freeze() throws IOException, InterruptedException {
        // Stops the frames first, so that no frame is on its way to the node and no other node waits for it.
        runtime.group.ethernet().ifPresent(network -> {
            network.faults().isolate(number());
            network.settle(number());
        });
        runtime.freezes.incrementAndGet();
        Fault freeze = fault("freeze of " + this, this::thaw);
        boolean frozen = false;
        try {
            runtime.session.freeze();
            frozen = true;
            return freeze;
        } catch (TestbedException e) {
            throw TestbedFailureException.of(this + " cannot be frozen: ", e);
        } finally {
            if (!frozen) {
                freeze.close();
            }
        }
    }

    private void thaw() throws IOException, InterruptedException {
        boolean thawed = false;
        try {
            if (runtime.freezes.decrementAndGet() == 0) {
                runtime.session.thaw();
            }
            thawed = true;
            runtime.group.ethernet().ifPresent(network -> network.faults().rejoin(number()));
        } catch (TestbedException e) {
            throw TestbedFailureException.of(this + " cannot be thawed: ", e);
        } finally {
            if (!thawed) {
                runtime.freezes.incrementAndGet();
            }
        }
    }

    private Fault fault(String name, Fault.Remedy remedy) {
        return new Fault(name, () -> {
            if (!runtime.closed) {
                remedy.apply();
            }
        });
    }

    @Override
    public String toString() {
        return "node " + number();
    }

    /**
     * A TCP port of this machine's loopback address whose connections go to a port of a node, until it is closed. For
     * each connection, the node connects to its port. A connection that the node cannot make is closed. Thread-safe.
     */
    public static final class ForwardedPort implements AutoCloseable {
        private final int port;
        private final PortForward forward;

        ForwardedPort(ExecClient client, String host, int port) throws IOException {
            this.port = port;
            forward = PortForward.ofPort(client, 0, host, port);
        }

        /** The address to connect to on this machine. */
        public InetSocketAddress address() {
            return forward.address();
        }

        /** The port of this machine. */
        public int localPort() {
            return forward.address().getPort();
        }

        /** Closes the port and its connections. */
        @Override
        public void close() throws IOException {
            forward.close();
        }

        @Override
        public String toString() {
            return address() + " to port " + port + " of the node";
        }
    }
}
