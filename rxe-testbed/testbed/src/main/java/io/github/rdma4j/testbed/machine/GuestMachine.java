// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.machine;

import io.github.rdma4j.testbed.host.TestbedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A machine that runs, with its console and the four streams that connect the guest with the launcher. */
public final class GuestMachine implements AutoCloseable {
    private final MachineProcess process;
    private final GuestPorts ports;

    private GuestMachine(MachineProcess process, GuestPorts ports) {
        this.process = process;
        this.ports = ports;
    }

    /**
     * Starts a process and waits until it has connected to the sockets of the ports.
     *
     * @param program the name of the program in messages
     * @throws MachineEndException if the process ended before
     */
    public static GuestMachine start(String program, ProcessBuilder builder, GuestPorts ports)
            throws TestbedException, InterruptedException {
        @Nullable GuestMachine machine = null;
        boolean connected = false;
        try {
            machine = new GuestMachine(
                    MachineProcess.start(program, builder, () -> quietly(ports::stopListening)), ports);
            ports.accept();
            machine.reached("ports");
            connected = true;
            return machine;
        } catch (IOException e) {
            MachineProcess process = Objects.requireNonNull(machine).process;
            process.kill();
            int status = process.await();
            throw new MachineEndException(
                    program + " ended with status " + status + ": " + process.complaints()
                            + MachineEndException.advice(status, process.complaints()),
                    process.console());
        } finally {
            if (!connected) {
                quietly(machine == null ? ports::close : machine::close);
            }
        }
    }

    private interface Closing {
        void run() throws IOException;
    }

    private static void quietly(Closing closing) {
        try {
            closing.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the guest has written a stage on its console, or has ended. */
    public void awaitFirstWord() throws InterruptedException {
        process.awaitFirstWord();
    }

    /** The stream of {@code agent.pl}'s protocol. */
    public SocketChannel control() {
        return ports.control();
    }

    /** A standard stream of the command, 0 to 2. */
    public SocketChannel stream(int descriptor) {
        return ports.stream(descriptor);
    }

    /** Notes that a stage of the guest's life is over; returns the stage. */
    public Stage reached(String name) {
        return process.reached(name);
    }

    /** The stages that are over, in the order in which they ended. */
    public List<Stage> stages() {
        return process.stages();
    }

    public Console console() {
        return process.console();
    }

    /** What the machine's process wrote on its standard error. */
    public String complaints() {
        return process.complaints();
    }

    /** Stops all processors of the guest. The guest does not notice, but for the time. */
    public void freeze() throws TestbedException, InterruptedException {
        process.freeze();
    }

    public void thaw() throws TestbedException, InterruptedException {
        process.thaw();
    }

    /** Ends the guest as a power failure would. */
    public void kill() {
        process.kill();
    }

    /** Waits for the end of the machine and of its output; returns the exit status of its process. */
    public int await() throws InterruptedException {
        return process.await();
    }

    @Override
    public void close() {
        process.close();
        try {
            process.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            quietly(ports::close);
        }
    }
}
