// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.containers;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Volume;
import io.github.rdma4j.testbed.Backend;
import io.github.rdma4j.testbed.Testbed;
import io.github.rdma4j.testbed.host.Daemon;
import io.github.rdma4j.testbed.host.Deadline;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelRelease;
import io.github.rdma4j.testbed.machine.Devices;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.output.OutputFrame;
import org.testcontainers.containers.output.OutputFrame.OutputType;
import org.testcontainers.containers.output.WaitingConsumer;
import org.testcontainers.containers.startupcheck.StartupCheckStrategy;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.LogUtils;
import org.testcontainers.utility.MountableFile;

/**
 * A container with an RDMA device.
 *
 * <p>By default the device is {@code rxe0}, soft-RoCE, of a guest kernel that runs inside the container: the machine
 * needs no RDMA, and the container needs no privileges, devices, capabilities or network. The image must have the
 * testbed in it, see docs/testbed.md, <i>Containers</i>; {@link #ofThisMachine} makes an image from the programs of
 * this machine. The container has started when the device is active.
 *
 * <pre>{@code
 * try (SoftRoceLink link = SoftRoceLink.create();
 *         SoftRoceContainer client = SoftRoceContainer.ofThisMachine().withNode(1, link);
 *         SoftRoceContainer server = SoftRoceContainer.ofThisMachine().withNode(2, link)) {
 *     Startables.deepStart(client, server).join();
 *     var served = server.startInGuest("rping", "-s", "-C", "3", "-a", server.getGuestAddress());
 *     ...
 * }
 * }</pre>
 */
@SuppressWarnings("this-escape") // of javac 21 and later: GenericContainer is configured by its own methods
public class SoftRoceContainer extends GenericContainer<SoftRoceContainer> {
    private static final String LINK_DIRECTORY = "/run/rdma4j-link";
    private static final List<String> INTO_THE_GUEST =
            List.of("perl", "/run/rdma4j/node.pl", "/run/rdma4j/socket", "--");
    private static final int GUEST_IS_GONE = 255;
    private static final int KILLED = 128 + 9;

    /** The limit for the end of a container whose guest has ended. */
    private static final int PATIENCE_SECONDS = 10;

    private final List<String> options = new ArrayList<>();
    private final List<Bind> binds = new ArrayList<>();
    private Optional<SoftRoceLink> link = Optional.empty();
    private int node = 1;

    /** A container of this image. */
    public SoftRoceContainer(DockerImageName image) {
        super(image);
        waitingFor(new GuestWaitStrategy());
    }

    /** A container of this image, such as {@code rdma4j/rxe-testbed}. */
    public SoftRoceContainer(String image) {
        this(DockerImageName.parse(image));
    }

    /**
     * A container that sees programs of this machine, read-only: {@code /usr}, Java, the classes of the testbed, and
     * the testbed's cache. This method downloads a missing kernel to the cache. The container needs no registry; the
     * engine must run on this machine.
     *
     * @throws IOException if the kernel or a program is missing; the message says what to do
     */
    public static SoftRoceContainer ofThisMachine() throws IOException, InterruptedException {
        return ofThisMachine(Testbed.Device.RXE);
    }

    /** As {@link #ofThisMachine()}, with another device, whose missing files this method downloads or builds. */
    public static SoftRoceContainer ofThisMachine(Testbed.Device device) throws IOException, InterruptedException {
        try {
            Backend kind = MachineImage.kind();
            Devices devices = Devices.valueOf(device.name());
            MachineImage.prepare(kind, KernelRelease.DEFAULT, devices);
            SoftRoceContainer container = new SoftRoceContainer(MachineImage.build())
                    .withImagePullPolicy(image -> false)
                    .withBackend(kind)
                    .withTestbedOptions("--device", device.name().toLowerCase(Locale.ROOT))
                    .withEnv(MachineImage.CACHE_VARIABLE, MachineImage.CACHE);
            MachineImage.mounts().forEach(container::withMachineFiles);
            return container;
        } catch (TestbedException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Makes the guest a node among the guests of other containers. The other nodes start only if node 1 starts. */
    public SoftRoceContainer withNode(int number, SoftRoceLink among) {
        if (number < 1 || number > 8) {
            throw new IllegalArgumentException("a node is 1 to 8, not " + number);
        }
        node = number;
        link = Optional.of(among);
        return self();
    }

    /** The kind of the guest, {@link Backend#VM} or {@link Backend#UML}, whose kernel must be in the image. */
    public SoftRoceContainer withBackend(Backend kind) {
        if (kind != Backend.VM && kind != Backend.UML) {
            throw new IllegalArgumentException("the guest in a container must be uml or vm, not " + kind.label());
        }
        return withTestbedOptions("--on", kind.label());
    }

    /** The memory of the guest in MiB; 3072 by default. */
    public SoftRoceContainer withGuestMemory(int mebibytes) {
        return withTestbedOptions("--memory", String.valueOf(mebibytes));
    }

    /** Further options of {@code testbed serve}, such as {@code --device ib}; the image must have what they need. */
    public SoftRoceContainer withTestbedOptions(String... words) {
        options.addAll(List.of(words));
        return self();
    }

    /**
     * Mounts a directory of the engine's machine, read-only. In contrast, {@code withFileSystemBind} first runs an
     * image of a registry.
     */
    SoftRoceContainer withMachineFiles(String directory, String path) {
        binds.add(new Bind(directory, new Volume(path), AccessMode.ro));
        return self();
    }

    /** The IPv4 address of the guest under its RDMA device, which the guests of the same link reach: 10.77.0.N. */
    public String getGuestAddress() {
        return "10.77.0." + node;
    }

    @Override
    protected void configure() {
        super.configure();
        if (getNetwork() == null
                && getNetworkMode() == null
                && getExposedPorts().isEmpty()) {
            setNetworkMode("none");
        }
        setStartupCheckStrategy(new AnyStateStrategy());
        List<String> command = new ArrayList<>(List.of(MachineImage.PROGRAM, "serve"));
        link.ifPresent(among -> {
            command.addAll(List.of("--node", String.valueOf(node), "--link", LINK_DIRECTORY));
            binds.add(new Bind(among.volume(), new Volume(LINK_DIRECTORY)));
        });
        withCreateContainerCmdModifier(create -> mount(create.getHostConfig()));
        command.addAll(options);
        setCommand(command.toArray(String[]::new));
    }

    private void mount(@Nullable HostConfig config) {
        if (config == null) {
            throw new IllegalStateException("this version of Testcontainers exposes no HostConfig");
        }
        List<Bind> all = new ArrayList<>(binds);
        if (config.getBinds() != null) {
            all.addAll(List.of(config.getBinds()));
        }
        config.withBinds(all);
    }

    @Override
    public void start() {
        try {
            super.start();
        } catch (ContainerLaunchException e) {
            throw lacksTestbed(e) ? new ContainerLaunchException(withoutTestbed(), e) : e;
        }
    }

    // The error of the start contains the engine's message.
    private static boolean lacksTestbed(ContainerLaunchException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (message.contains(MachineImage.PROGRAM) && message.contains("no such file")) {
                return true;
            }
        }
        return false;
    }

    private String withoutTestbed() {
        return "the image " + getDockerImageName() + " has no testbed (" + MachineImage.PROGRAM
                + "): build one with rxe-testbed/testbed/docker/Dockerfile, or use SoftRoceContainer.ofThisMachine()";
    }

    /**
     * Runs a command to its end in the guest. A status other than 0 is a result, not an exception.
     *
     * @throws IllegalStateException if the container or its guest has ended; the message has the end of the log
     */
    public ExecResult execInGuest(String... command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(INTO_THE_GUEST);
        words.addAll(List.of(command));
        return runInContainer(words);
    }

    private ExecResult runInContainer(List<String> words) throws IOException, InterruptedException {
        ExecResult result;
        try {
            result = execInContainer(words.toArray(String[]::new));
        } catch (ConflictException | NotFoundException e) {
            throw new IllegalStateException("the container no longer runs: " + e.getMessage(), e);
        }
        if (result.getExitCode() == GUEST_IS_GONE && result.getStderr().contains("guest")) {
            throw new IllegalStateException(
                    result.getStderr().strip() + "; the log of the container ends with:\n" + lastWords());
        }
        if (result.getExitCode() == KILLED && !runs()) {
            throw new IllegalStateException(
                    "the container ended during the command; its log ends with:\n" + lastWords());
        }
        return result;
    }

    /** The end of a container kills its processes before the engine says that the container has ended. */
    private boolean runs() throws IOException, InterruptedException {
        try {
            return execInContainer("true").getExitCode() == 0;
        } catch (DockerException e) {
            return false;
        }
    }

    /** The container ends with its guest. Its log has the reason shortly after the command's streams have ended. */
    private String lastWords() throws InterruptedException {
        boolean unused = getDockerClient()
                .waitContainerCmd(getContainerId())
                .exec(new ResultCallback.Adapter<>())
                .awaitCompletion(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return GuestWaitStrategy.tail(getLogs());
    }

    /**
     * Starts a command as {@link #execInGuest} does, without waiting. Cancelling the future does not end the command;
     * stopping the container ends it.
     */
    public CompletableFuture<ExecResult> startInGuest(String... command) {
        CompletableFuture<ExecResult> result = new CompletableFuture<>();
        Daemon.start("exec", () -> complete(result, command));
        return result;
    }

    private void complete(CompletableFuture<ExecResult> result, String... command) {
        try {
            boolean unused = result.complete(execInGuest(command));
        } catch (IOException | RuntimeException e) {
            boolean unused = result.completeExceptionally(e);
        } catch (InterruptedException e) {
            boolean unused = result.completeExceptionally(new CompletionException(e));
        }
    }

    /** Copies a file into the guest. */
    public void copyFileToGuest(MountableFile file, String path) throws IOException, InterruptedException {
        String passing = "/tmp/rdma4j-" + Long.toHexString(System.nanoTime());
        copyFileToContainer(file, passing);
        String write = "exec \"$@\" sh -c 'mkdir -p \"${1%/*}\" && cat > \"$1\" && chmod \"$2\" \"$1\"'"
                + " sh \"$PLACE\" \"$(stat -c %a \"$PASSING\")\" < \"$PASSING\"";
        inContainer(
                "PASSING=$1 PLACE=$2; shift 2; (" + write + "); status=$?; rm -f \"$PASSING\"; exit $status",
                passing,
                path);
    }

    /** Copies a file of the guest to this machine. */
    public void copyFileFromGuest(String path, String destination) throws IOException, InterruptedException {
        String passing = "/tmp/rdma4j-" + Long.toHexString(System.nanoTime());
        inContainer("PASSING=$1 PLACE=$2; shift 2; exec \"$@\" cat \"$PLACE\" > \"$PASSING\"", passing, path);
        copyFileFromContainer(passing, destination);
        inContainer("rm -f \"$1\"", passing, path);
    }

    private void inContainer(String script, String passing, String path) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("sh", "-c", script, "sh", passing, path));
        words.addAll(INTO_THE_GUEST);
        ExecResult result = runInContainer(words);
        if (result.getExitCode() != 0) {
            throw new IOException(path + " in the guest: " + result.getStderr().strip());
        }
    }

    /**
     * The log of the guest's kernel, as {@code dmesg} prints it. {@link #getLogs} returns the log of the container.
     */
    public String getGuestKernelLog() throws IOException, InterruptedException {
        ExecResult log = execInGuest("dmesg");
        if (log.getExitCode() != 0) {
            throw new IOException("dmesg: " + log.getStderr().strip());
        }
        return log.getStdout();
    }

    /** Accepts every state: the wait for the guest knows why the container has ended. */
    private static final class AnyStateStrategy extends StartupCheckStrategy {
        @Override
        public StartupStatus checkStartupState(DockerClient client, String container) {
            return StartupStatus.SUCCESSFUL;
        }
    }

    /** Waits until the guest in a container has an active device, or until the container ends. */
    static final class GuestWaitStrategy extends AbstractWaitStrategy {
        private static final String READY = "testbed: ready, node ";
        private static final String PANIC = "Kernel panic - not syncing";
        private static final int LAST_LINES = 20;

        GuestWaitStrategy() {
            // A busy machine without KVM needs a minute.
            startupTimeout = Duration.ofMinutes(3);
        }

        @Override
        protected void waitUntilReady() {
            WaitingConsumer lines = new WaitingConsumer();
            LogUtils.followOutput(
                    DockerClientFactory.lazyClient(), waitStrategyTarget.getContainerId(), lines, OutputType.STDOUT);
            try {
                lines.waitUntil(
                        frame -> isReady(frame) || ended(frame),
                        Deadline.after(startupTimeout).remainingNanos(),
                        TimeUnit.NANOSECONDS,
                        1);
            } catch (TimeoutException e) {
                throw new ContainerLaunchException(
                        "the guest has not started within " + startupTimeout.toSeconds() + " s; " + log(), e);
            }
            if (!waitStrategyTarget.isRunning()) {
                throw new ContainerLaunchException("the guest has not started; " + log());
            }
        }

        private static boolean isReady(OutputFrame frame) {
            return frame.getUtf8String().contains(READY);
        }

        private static boolean ended(OutputFrame frame) {
            return frame.getType() == OutputType.END;
        }

        private String log() {
            return "the log of the container ends with:\n" + tail(waitStrategyTarget.getLogs());
        }

        /** The last lines of a log. After a panic of the guest's kernel, all lines from the panic on. */
        static String tail(String log) {
            List<String> lines = log.lines().toList();
            int from = Math.max(0, lines.size() - LAST_LINES);
            for (int i = 0; i < from; i++) {
                if (lines.get(i).contains(PANIC)) {
                    from = i;
                }
            }
            return String.join("\n", lines.subList(from, lines.size()));
        }
    }
}
