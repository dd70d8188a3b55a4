// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.guest;

import io.github.rdma4j.testbed.host.ProcessBytes;
import io.github.rdma4j.testbed.host.TestbedException;
import io.github.rdma4j.testbed.machine.GuestFailure;
import io.github.rdma4j.testbed.machine.GuestFailureException;
import io.github.rdma4j.testbed.machine.GuestMachine;
import io.github.rdma4j.testbed.machine.Hypervisor;
import io.github.rdma4j.testbed.machine.MachineProcess;
import io.github.rdma4j.testbed.machine.NodeLink;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** One guest and its command, from power-on to the end. */
public final class GuestSession implements AutoCloseable {
    private static final int SIGNAL_STATUS_BASE = 128;

    /** The longest report that the agent sends. */
    private static final int LONGEST_REPORT = 2 << 20;

    private final GuestCommand command;
    private final Hypervisor hypervisor;
    private final GuestMachine machine;
    private final Watchdog watchdog;
    private final Clock clock = new Clock();
    private final List<CrashReport> crashReports = new ArrayList<>();
    private final AtomicBoolean commandStarted = new AtomicBoolean();

    /**
     * Powers the guest on and waits until its ports are connected.
     *
     * @param link the networks that the guest shares with others, if it is one of several
     */
    GuestSession(Hypervisor hypervisor, GuestCommand command, @Nullable NodeLink link)
            throws TestbedException, InterruptedException {
        this.command = command;
        this.hypervisor = hypervisor;
        machine = hypervisor.start(command.machine(), link);
        watchdog = Watchdog.start(machine.process()::kill, command.seconds());
    }

    /** Forwards a signal; returns false if the command has not started. */
    public boolean signal(int number, boolean toGroup) {
        if (!commandStarted.get()) {
            return false;
        }
        send("signal " + number + (toGroup ? " group" : " process"));
        return true;
    }

    /** Stops the guest. The watchdog waits until {@link #thaw}. */
    public void freeze() throws TestbedException, InterruptedException {
        watchdog.setFrozen(true);
        machine.process().freeze();
    }

    public void thaw() throws TestbedException, InterruptedException {
        machine.process().thaw();
        watchdog.setFrozen(false);
    }

    /** Ends the guest at once, as a power failure would; {@link #run} then fails. */
    void kill() {
        machine.process().kill();
    }

    /**
     * Runs the command to its end.
     *
     * @param ready called when a node of several has its network and device; its command starts after the return
     */
    public Result run(Streams streams, Runnable ready) throws GuestFailureException, InterruptedException {
        StreamRelay output = relay(1, streams.output());
        StreamRelay error = relay(2, streams.error());
        for (String line = machine.readLine(); line != null; line = machine.readLine()) {
            watchdog.heard();
            String[] words = line.split(" ", -1);
            switch (words[0]) {
                case "hello" -> sendCommand();
                case "at" -> stage(words[1], words[2]);
                case "ready" -> {
                    ready.run();
                    send("go");
                }
                case "started" -> started(streams, words[1]);
                case "crash" -> keepCrashReport(Integer.parseInt(words[1]), words[2]);
                case "failed" -> throw failure(GuestFailure.BOOT, line.substring("failed ".length()));
                case "exit" -> {
                    return finish(words, output, error);
                }
                default -> {
                    // "alive" is only a sign of life.
                }
            }
        }
        throw unexpectedEnd();
    }

    private StreamRelay relay(int descriptor, OutputStream sink) {
        return StreamRelay.start(
                "stream-" + descriptor,
                machine.stream(descriptor),
                sink,
                () -> send("close " + descriptor),
                watchdog::heard);
    }

    private void sendCommand() {
        ByteArrayOutputStream fields = new ByteArrayOutputStream();
        fields.writeBytes(ProcessBytes.workingDirectory());
        field(fields, utf8(hypervisor.image().modules().toString()));
        list(
                fields,
                command.machine().shares().stream()
                        .map(path -> utf8(path.toString()))
                        .toList());
        list(fields, command.arguments());
        list(fields, command.environment());
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        message.writeBytes(utf8("command " + fields.size() + "\n"));
        message.writeBytes(fields.toByteArray());
        machine.send(message.toByteArray());
    }

    private static void list(ByteArrayOutputStream fields, List<byte[]> values) {
        field(fields, utf8(String.valueOf(values.size())));
        values.forEach(value -> field(fields, value));
    }

    private static void field(ByteArrayOutputStream fields, byte[] value) {
        fields.write(0);
        fields.writeBytes(value);
    }

    /** Sends a line of the protocol that {@code agent.pl} describes. */
    private void send(String line) {
        machine.send(utf8(line + "\n"));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void stage(String name, String guestSeconds) {
        Duration now = machine.process().reached(name).at();
        switch (name) {
            case "started" -> clock.started(now, Double.parseDouble(guestSeconds));
            case "ended" -> clock.ended(now, Double.parseDouble(guestSeconds));
            default -> {
                // The clocks are compared only while the command runs, when the guest's clock has settled.
            }
        }
    }

    private void keepCrashReport(int bytes, String name) {
        byte[] text = bytes > LONGEST_REPORT ? null : machine.readBytes(bytes);
        if (text == null) {
            return;
        }
        try {
            crashReports.add(CrashReport.keep(text, name));
        } catch (IOException e) {
            // The command has its status without the report.
            return;
        }
    }

    private void started(Streams streams, String guestSeconds) {
        stage("started", guestSeconds);
        commandStarted.set(true);
        watchdog.commandStarted();
        StreamRelay.startInput(streams.input(), machine.stream(0));
    }

    // exit STATUS SIGNAL STDOUT_BYTES STDERR_BYTES OOM_KILLS
    private Result finish(String[] words, StreamRelay output, StreamRelay error)
            throws GuestFailureException, InterruptedException {
        int signal = Integer.parseInt(words[2]);
        output.await(Long.parseLong(words[3]));
        error.await(Long.parseLong(words[4]));
        if (signal == 9 && !words[5].equals("0")) {
            throw failure(GuestFailure.OUT_OF_MEMORY, "the guest's kernel killed the command for lack of memory");
        }
        int status = signal == 0 ? Integer.parseInt(words[1]) : SIGNAL_STATUS_BASE + signal;
        return new Result(status, machine.process().stages(), clock.ratio(), List.copyOf(crashReports));
    }

    private GuestFailureException unexpectedEnd() throws InterruptedException {
        int status = machine.process().await();
        GuestFailure verdict = watchdog.verdict();
        if (verdict != null) {
            return failure(verdict, watchdog.reason());
        }
        if (machine.process().console().panickedOutOfMemory()) {
            return failure(GuestFailure.OUT_OF_MEMORY, "the guest ran out of memory");
        }
        if (machine.process().console().panicked()) {
            return failure(GuestFailure.PANIC, "the guest's kernel panicked");
        }
        String detail = machine.process().end(hypervisor.name(), status);
        if (status != 0 && machine.process().console().isSilent()) {
            return failure(GuestFailure.START, detail);
        }
        return commandStarted.get()
                ? failure(GuestFailure.PANIC, "the guest powered off before the command ended; " + detail)
                : failure(GuestFailure.BOOT, "the guest did not boot; " + detail);
    }

    // The console is complete only after the guest has ended.
    private GuestFailureException failure(GuestFailure kind, String message) throws InterruptedException {
        machine.process().kill();
        machine.process().await();
        return new GuestFailureException(
                kind, message, machine.process().console().tail());
    }

    @Override
    public void close() {
        watchdog.stop();
        machine.close();
    }

    /** The streams to which a command's standard streams are connected. */
    public record Streams(InputStream input, OutputStream output, OutputStream error) {
        /** The streams of this process, without the buffers and decoders of {@link System}. */
        public static Streams ofThisProcess() {
            return new Streams(
                    new FileInputStream(FileDescriptor.in),
                    new FileOutputStream(FileDescriptor.out),
                    new FileOutputStream(FileDescriptor.err));
        }
    }

    /**
     * The end of a command in a guest.
     *
     * @param status as a shell reports it: the exit status, or 128 plus the number of the signal that killed the
     *     command
     * @param stages the stages of the guest's life in the order in which they ended; {@code started} is the command's
     *     start
     * @param clockRatio the seconds of the guest's clock per second of this machine's clock while the command ran; 1
     *     after a command of less than 10 s
     * @param crashReports the reports of JVMs that crashed in the guest
     */
    public record Result(
            int status, List<MachineProcess.Stage> stages, double clockRatio, List<CrashReport> crashReports) {}

    /**
     * Compares the guest's clock with this machine's clock while the command runs. On a busy host the guest's kernel
     * may misjudge the speed of its time stamp counter; all times measured in the guest are then wrong.
     */
    public static final class Clock {
        private static final double TOLERANCE = 0.1;

        /** On a busy host the messages may be delayed. The delay must be smaller than the tolerance. */
        private static final double LEAST_SECONDS = 10;

        private Duration hostStart = Duration.ZERO;
        private double guestStart = Double.NaN;
        private double ratio = 1;

        void started(Duration host, double guestSeconds) {
            hostStart = host;
            guestStart = guestSeconds;
        }

        void ended(Duration host, double guestSeconds) {
            double hostSeconds = host.minus(hostStart).toMillis() / 1000.0;
            double guest = guestSeconds - guestStart;
            if (Math.max(hostSeconds, guest) >= LEAST_SECONDS && hostSeconds > 0) {
                ratio = guest / hostSeconds;
            }
        }

        double ratio() {
            return ratio;
        }

        public static Optional<String> complaint(double ratio) {
            if (Math.abs(ratio - 1) <= TOLERANCE) {
                return Optional.empty();
            }
            return Optional.of(String.format(
                    Locale.ROOT,
                    "the guest's clock ran at %.2f times this machine's: times measured in it are wrong, and limits came too"
                            + " %s",
                    ratio,
                    ratio > 1 ? "early" : "late"));
        }
    }
}
