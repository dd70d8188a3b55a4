// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.WaitContainerResultCallback;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Device;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.StreamType;
import com.github.dockerjava.api.model.Volume;
import io.github.rdma4j.testbed.host.Deadline;
import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.DockerImageName;

/**
 * A container without a network. The standard streams of its command are in this process. When this process ends in any
 * way, the engine closes the command's input; when the command ends, the engine removes the container.
 */
public final class AttachedContainer extends GenericContainer<AttachedContainer> {
    private static final int LIMIT_SECONDS = 30;
    private static final int PAUSE_MILLIS = 20;
    private static final Path KVM = Path.of("/dev/kvm");

    private final List<Bind> binds = new ArrayList<>();
    private final Streams streams;
    private final InputStream fromHere;
    private final OutputStream input;
    private final InputStream output;
    private final InputStream error;
    private volatile @Nullable WaitContainerResultCallback status;

    /** A container of an image; the engine may have to pull the image. */
    public AttachedContainer(String image) throws IOException {
        super(DockerImageName.parse(image));
        Pipe toInput = Pipe.open();
        Pipe fromOutput = Pipe.open();
        Pipe fromError = Pipe.open();
        fromHere = Channels.newInputStream(toInput.source());
        input = Channels.newOutputStream(toInput.sink());
        output = Channels.newInputStream(fromOutput.source());
        error = Channels.newInputStream(fromError.source());
        streams = new Streams(Channels.newOutputStream(fromOutput.sink()), Channels.newOutputStream(fromError.sink()));
        setNetworkMode("none");
        setStartupCheckStrategy(new AnyStateStrategy());
        waitingFor(new NoWaitStrategy());
        withCreateContainerCmdModifier(this::describe);
    }

    /**
     * Looks for an engine.
     *
     * @throws TestbedException if no engine answers
     */
    public static void requireEngine() throws TestbedException {
        requireEngine(() -> DockerClientFactory.instance().isDockerAvailable());
    }

    static void requireEngine(BooleanSupplier isAvailable) throws TestbedException {
        try {
            if (!isAvailable.getAsBoolean()) {
                throw new TestbedException(
                        "Testcontainers finds no container engine that it can use: start one, for example"
                                + " Docker, or choose another backend. With a binding of SLF4J, such as slf4j-simple, on the class path"
                                + " Testcontainers logs what it tried");
            }
        } catch (RuntimeException e) {
            throw new TestbedException(
                    "Testcontainers cannot use the container engine: " + e.getMessage()
                            + ". If the engine has no bridge network, set TESTCONTAINERS_HOST_OVERRIDE=localhost",
                    e);
        }
    }

    /** Mounts a directory or a file of this machine. */
    public AttachedContainer withMount(String from, String to, boolean writable) {
        binds.add(new Bind(from, new Volume(to), writable ? AccessMode.rw : AccessMode.ro));
        return self();
    }

    private void describe(CreateContainerCmd command) {
        HostConfig config = command.getHostConfig();
        if (config == null) {
            throw new IllegalStateException("this version of Testcontainers exposes no HostConfig");
        }
        command.withStdinOpen(true)
                .withStdInOnce(true)
                .withAttachStdin(true)
                .withAttachStdout(true)
                .withAttachStderr(true);
        // The streams can hold any number of bytes of any value.
        config.withBinds(binds).withAutoRemove(true).withLogConfig(new LogConfig(LogConfig.LoggingType.NONE));
        if (Files.isReadable(KVM) && Files.isWritable(KVM)) {
            config.withDevices(new Device("rwm", KVM.toString(), KVM.toString()));
        }
    }

    @Override
    protected void containerIsCreated(String container) {
        var unused = dockerClient
                .attachContainerCmd(container)
                .withStdIn(fromHere)
                .withStdOut(true)
                .withStdErr(true)
                .withFollowStream(true)
                .exec(streams);
        try {
            if (!streams.awaitStarted(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new ContainerLaunchException("the engine does not connect to the streams of a container");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ContainerLaunchException("interrupted", e);
        }
    }

    @Override
    protected void containerIsStarting(InspectContainerResponse container) {
        status = dockerClient.waitContainerCmd(container.getId()).exec(new WaitContainerResultCallback());
    }

    /** The end of the standard error: the engine keeps no log. */
    @Override
    public String getLogs() {
        return streams.lastErrors();
    }

    /** The command's standard input. */
    public OutputStream input() {
        return input;
    }

    /** The command's standard output. Unread output holds up the standard error too. */
    public InputStream output() {
        return output;
    }

    /** The command's standard error. Unread output holds up the standard output too. */
    public InputStream error() {
        return error;
    }

    /**
     * Waits for the end of the command; the status is empty if the engine does not report it, for example because the
     * engine has ended.
     */
    public OptionalInt awaitEnd() throws InterruptedException {
        streams.ended.await();
        try {
            return status(status);
        } finally {
            forget();
        }
    }

    static OptionalInt status(@Nullable WaitContainerResultCallback known) {
        try {
            return known == null
                    ? OptionalInt.empty()
                    : OptionalInt.of(known.awaitStatusCode(LIMIT_SECONDS, TimeUnit.SECONDS));
        } catch (RuntimeException e) {
            // The engine has removed the container, or has ended.
            return OptionalInt.empty();
        }
    }

    /**
     * Waits until the engine has removed the container. Testcontainers then forgets the container and does not remove
     * it again.
     */
    private void forget() throws InterruptedException {
        try {
            Deadline deadline = Deadline.after(Duration.ofSeconds(LIMIT_SECONDS));
            while (exists() && !deadline.expired()) {
                Thread.sleep(PAUSE_MILLIS);
            }
            stop();
        } catch (RuntimeException e) {
            // The engine has ended.
            return;
        }
    }

    private boolean exists() {
        try {
            return dockerClient.inspectContainerCmd(getContainerId()).exec() != null;
        } catch (NotFoundException e) {
            return false;
        }
    }

    /** Ends the container at once; does nothing if the container has ended. */
    public void kill() {
        try {
            dockerClient.killContainerCmd(getContainerId()).exec();
        } catch (RuntimeException e) {
            // The container or its engine has ended.
            return;
        }
    }

    /** The output of the container, in the order in which the engine sends it. */
    private static final class Streams extends ResultCallback.Adapter<Frame> {
        private final CountDownLatch ended = new CountDownLatch(1);
        private final OutputStream output;
        private final OutputStream error;
        private final Tail lastErrors = new Tail();

        Streams(OutputStream output, OutputStream error) {
            this.output = output;
            this.error = error;
        }

        String lastErrors() {
            return lastErrors.toString();
        }

        @Override
        public void onNext(Frame frame) {
            boolean isError = frame.getStreamType() == StreamType.STDERR;
            if (isError) {
                lastErrors.add(frame.getPayload());
            }
            try {
                (isError ? error : output).write(frame.getPayload());
            } catch (IOException e) {
                // The reader has closed the stream.
                return;
            }
        }

        @Override
        public void onError(Throwable thrown) {
            super.onError(thrown);
            end();
        }

        @Override
        public void onComplete() {
            super.onComplete();
            end();
        }

        private void end() {
            try (output;
                    error) {
                ended.countDown();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The end of a stream, as text. */
    static final class Tail {
        /** In bytes; more than the kernel's lines of a failed guest. */
        static final int MOST = 65536;

        private byte[] last = {};

        synchronized void add(byte[] bytes) {
            byte[] all = Arrays.copyOf(last, last.length + bytes.length);
            System.arraycopy(bytes, 0, all, last.length, bytes.length);
            last = Arrays.copyOfRange(all, Math.max(0, all.length - MOST), all.length);
        }

        @Override
        public synchronized String toString() {
            return new String(last, StandardCharsets.UTF_8);
        }
    }

    /** Accepts every state: the code that waits for the container knows why the container has ended. */
    public static final class AnyStateStrategy extends StartupCheckStrategy {
        @Override
        public StartupStatus checkStartupState(DockerClient client, String container) {
            return StartupStatus.SUCCESSFUL;
        }
    }

    /** * Waits for nothing: the container needs nothing, or reports itself that it is ready. */
    public static final class NoWaitStrategy extends AbstractWaitStrategy {
        @Override
        protected void waitUntilReady() {}
    }
}
