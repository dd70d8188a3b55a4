// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.image.KernelImage;
import io.github.rdma4j.testbed.qemu.Accelerator;
import io.github.rdma4j.testbed.qemu.GuestPorts;
import io.github.rdma4j.testbed.qemu.NodeLink;
import io.github.rdma4j.testbed.qemu.Qemu;
import io.github.rdma4j.testbed.qemu.QemuCommandLine;
import io.github.rdma4j.testbed.qemu.RuntimeDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One guest and its command, from power-on to the end. */
public final class GuestSession implements AutoCloseable {
    private static final int SIGNAL_STATUS_BASE = 128;

    /** As long as the agent makes them. */
    private static final int LONGEST_REPORT = 2 << 20;

    private final GuestCommand command;
    private final KernelImage image;
    private final Qemu qemu;
    private final GuestPorts ports;
    private final long launchedNanos;
    private final Watchdog watchdog;
    private final Map<String, Duration> stages = new LinkedHashMap<>();
    private final GuestClock clock = new GuestClock();
    private final List<Path> crashReports = new ArrayList<>();
    private final AtomicBoolean commandStarted = new AtomicBoolean();
    private volatile @Nullable ControlPort control;

    private GuestSession(GuestCommand command, KernelImage image, Qemu qemu, GuestPorts ports, long launchedNanos) {
        this.command = command;
        this.image = image;
        this.qemu = qemu;
        this.ports = ports;
        this.launchedNanos = launchedNanos;
        watchdog = Watchdog.start(qemu::kill, command.timeout());
    }

    /**
     * Powers the guest on and waits until QEMU has connected the ports.
     *
     * @param link the networks that the guest shares with others, if it is one of several
     */
    public static GuestSession launch(
            KernelImage image, Accelerator accelerator, GuestCommand command, @Nullable NodeLink link)
            throws TestbedException, InterruptedException {
        long launched = System.nanoTime();
        try (RuntimeDirectory run = RuntimeDirectory.create()) {
            GuestPorts ports = new GuestPorts(run);
            Qemu qemu = Qemu.start(
                    QemuCommandLine.boot(image, accelerator, command.machine(), run, link), () -> stopListening(ports));
            try {
                ports.accept();
            } catch (IOException e) {
                qemu.kill();
                int status = qemu.await();
                throw new GuestFailureException(
                        GuestFailure.START,
                        "QEMU ended with status " + status + ": " + qemu.complaints(),
                        qemu.console().tail());
            }
            return new GuestSession(command, image, qemu, ports, launched);
        } catch (IOException e) {
            throw new TestbedException("cannot make the sockets for QEMU: " + e.getMessage(), e);
        }
    }

    private static void stopListening(GuestPorts ports) {
        try {
            ports.stopListening();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Forwards a signal if the command has started; returns false if there is none yet to take it. */
    public boolean signal(int number, boolean toGroup) {
        ControlPort port = control;
        if (port == null || !commandStarted.get()) {
            return false;
        }
        port.sendSignal(number, toGroup);
        return true;
    }

    /** Stops the guest, which the watchdog bears until {@link #thaw}. */
    public void freeze() throws TestbedException, InterruptedException {
        watchdog.setFrozen(true);
        qemu.freeze();
    }

    public void thaw() throws TestbedException, InterruptedException {
        qemu.thaw();
        watchdog.setFrozen(false);
    }

    /** Ends the guest as a power failure would; {@link #run} then fails. */
    void kill() {
        qemu.kill();
    }

    /** Runs the command to its end. */
    public GuestResult run(GuestStreams streams) throws GuestFailureException, InterruptedException {
        return run(streams, () -> {});
    }

    /**
     * Runs the command to its end.
     *
     * @param ready called when a node of several has its network and device; its command starts after the return
     */
    public GuestResult run(GuestStreams streams, Runnable ready) throws GuestFailureException, InterruptedException {
        ControlPort port = new ControlPort(ports.control());
        control = port;
        OutputRelay output = relay(port, 1, streams.output());
        OutputRelay error = relay(port, 2, streams.error());
        for (String line = port.readLine(); line != null; line = port.readLine()) {
            watchdog.heard();
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "hello" -> port.sendCommand(command, image.modules());
                case "at" -> stage(words[1], words[2]);
                case "ready" -> {
                    ready.run();
                    port.sendGo();
                }
                case "started" -> started(streams, words[1]);
                case "crash" -> keepCrashReport(port, Integer.parseInt(words[1]), words[2]);
                case "failed" -> throw failure(GuestFailure.BOOT, line.substring("failed ".length()));
                case "exit" -> {
                    return finish(words, output, error);
                }
                default -> {
                    // "alive" says no more than that something was heard.
                }
            }
        }
        throw unexpectedEnd();
    }

    private OutputRelay relay(ControlPort port, int descriptor, java.io.OutputStream sink) {
        return OutputRelay.start(
                "stream-" + descriptor,
                ports.stream(descriptor),
                sink,
                () -> port.sendClose(descriptor),
                watchdog::heard);
    }

    private void stage(String name, String guestSeconds) {
        Duration now = Duration.ofNanos(System.nanoTime() - launchedNanos);
        stages.put(name, now);
        switch (name) {
            case "started" -> clock.started(now, Double.parseDouble(guestSeconds));
            case "ended" -> clock.ended(now, Double.parseDouble(guestSeconds));
            default -> {
                // The clocks are compared over the command's time, when the guest's has settled.
            }
        }
    }

    private void keepCrashReport(ControlPort port, int bytes, String name) {
        byte[] text = bytes > LONGEST_REPORT ? null : port.readBytes(bytes);
        if (text != null) {
            CrashReport.keep(name, text).ifPresent(crashReports::add);
        }
    }

    private void started(GuestStreams streams, String guestSeconds) {
        stage("started", guestSeconds);
        commandStarted.set(true);
        watchdog.commandStarted();
        InputRelay.start(streams.input(), ports.stream(0));
    }

    // exit STATUS SIGNAL STDOUT_BYTES STDERR_BYTES OOM_KILLS
    private GuestResult finish(String[] words, OutputRelay output, OutputRelay error)
            throws GuestFailureException, InterruptedException {
        int signal = Integer.parseInt(words[2]);
        output.await(Long.parseLong(words[3]));
        error.await(Long.parseLong(words[4]));
        if (signal == 9 && !words[5].equals("0")) {
            throw failure(GuestFailure.OUT_OF_MEMORY, "the guest's kernel killed the command for lack of memory");
        }
        int status = signal == 0 ? Integer.parseInt(words[1]) : SIGNAL_STATUS_BASE + signal;
        return new GuestResult(status, Map.copyOf(stages), clock.ratio(), List.copyOf(crashReports));
    }

    private GuestFailureException unexpectedEnd() throws InterruptedException {
        int status = qemu.await();
        GuestFailure verdict = watchdog.verdict();
        if (verdict != null) {
            return failure(verdict, watchdog.reason());
        }
        if (qemu.console().panickedOutOfMemory()) {
            return failure(GuestFailure.OUT_OF_MEMORY, "the guest ran out of memory");
        }
        if (qemu.console().panicked()) {
            return failure(GuestFailure.PANIC, "the guest's kernel panicked");
        }
        String complaints = qemu.complaints();
        String detail = "QEMU ended with status " + status + (complaints.isEmpty() ? "" : ": " + complaints);
        if (status != 0 && qemu.console().tail().isEmpty()) {
            return failure(GuestFailure.START, detail);
        }
        return commandStarted.get()
                ? failure(GuestFailure.PANIC, "the guest powered off before the command ended; " + detail)
                : failure(GuestFailure.BOOT, "the guest did not boot; " + detail);
    }

    // Only a dead guest's console is complete.
    private GuestFailureException failure(GuestFailure kind, String message) throws InterruptedException {
        qemu.kill();
        qemu.await();
        return new GuestFailureException(kind, message, qemu.console().tail());
    }

    @Override
    public void close() {
        watchdog.stop();
        qemu.close();
        try {
            qemu.await();
            ports.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
