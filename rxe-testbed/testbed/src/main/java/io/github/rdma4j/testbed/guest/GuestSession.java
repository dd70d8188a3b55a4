// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.machine.GuestMachine;
import io.github.rdma4j.testbed.machine.Hypervisor;
import io.github.rdma4j.testbed.machine.MachineEndException;
import io.github.rdma4j.testbed.machine.NodeLink;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One guest and its command, from power-on to the end. */
public final class GuestSession implements AutoCloseable {
    private static final int SIGNAL_STATUS_BASE = 128;

    /** As long as the agent makes them. */
    private static final int LONGEST_REPORT = 2 << 20;

    private final GuestCommand command;
    private final Hypervisor hypervisor;
    private final GuestMachine machine;
    private final Watchdog watchdog;
    private final GuestClock clock = new GuestClock();
    private final List<Path> crashReports = new ArrayList<>();
    private final AtomicBoolean commandStarted = new AtomicBoolean();
    private volatile @Nullable ControlPort control;

    private GuestSession(GuestCommand command, Hypervisor hypervisor, GuestMachine machine) {
        this.command = command;
        this.hypervisor = hypervisor;
        this.machine = machine;
        watchdog = Watchdog.start(machine::kill, command.timeout());
    }

    /**
     * Powers the guest on and waits until its ports are connected.
     *
     * @param link the networks that the guest shares with others, if it is one of several
     */
    public static GuestSession launch(Hypervisor hypervisor, GuestCommand command, @Nullable NodeLink link)
            throws TestbedException, InterruptedException {
        try {
            GuestMachine machine = hypervisor.start(command.machine(), link);
            return new GuestSession(command, hypervisor, machine);
        } catch (MachineEndException e) {
            GuestFailure failure = e.panicked() ? GuestFailure.PANIC : GuestFailure.START;
            throw new GuestFailureException(failure, String.valueOf(e.getMessage()), e.kernelLines());
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
        machine.freeze();
    }

    public void thaw() throws TestbedException, InterruptedException {
        machine.thaw();
        watchdog.setFrozen(false);
    }

    /** Ends the guest as a power failure would; {@link #run} then fails. */
    void kill() {
        machine.kill();
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
        ControlPort port = new ControlPort(machine.control());
        control = port;
        OutputRelay output = relay(port, 1, streams.output());
        OutputRelay error = relay(port, 2, streams.error());
        for (String line = port.readLine(); line != null; line = port.readLine()) {
            watchdog.heard();
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "hello" -> port.sendCommand(command, hypervisor.modules());
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
                machine.stream(descriptor),
                sink,
                () -> port.sendClose(descriptor),
                watchdog::heard);
    }

    private void stage(String name, String guestSeconds) {
        Duration now = machine.reached(name).at();
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
        InputRelay.start(streams.input(), machine.stream(0));
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
        return new GuestResult(status, machine.stages(), clock.ratio(), List.copyOf(crashReports));
    }

    private GuestFailureException unexpectedEnd() throws InterruptedException {
        int status = machine.await();
        GuestFailure verdict = watchdog.verdict();
        if (verdict != null) {
            return failure(verdict, watchdog.reason());
        }
        if (machine.console().panickedOutOfMemory()) {
            return failure(GuestFailure.OUT_OF_MEMORY, "the guest ran out of memory");
        }
        if (machine.console().panicked()) {
            return failure(GuestFailure.PANIC, "the guest's kernel panicked");
        }
        String complaints = machine.complaints();
        String detail = hypervisor.name() + " ended with status " + status
                + (complaints.isEmpty() ? "" : ": " + complaints) + MachineEndException.advice(status, complaints);
        if (status != 0 && machine.console().tail().isEmpty()) {
            return failure(GuestFailure.START, detail);
        }
        return commandStarted.get()
                ? failure(GuestFailure.PANIC, "the guest powered off before the command ended; " + detail)
                : failure(GuestFailure.BOOT, "the guest did not boot; " + detail);
    }

    // Only a dead guest's console is complete.
    private GuestFailureException failure(GuestFailure kind, String message) throws InterruptedException {
        machine.kill();
        machine.await();
        return new GuestFailureException(kind, message, machine.console().tail());
    }

    @Override
    public void close() {
        watchdog.stop();
        machine.close();
    }
}
