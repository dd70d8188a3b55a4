// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import io.github.rdma4j.testbed.machine.GuestMachine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The launcher's side of {@code await_launcher} in {@code init}: a booted guest that waits on its control port, before
 * {@code agent.pl} uses the port.
 */
final class WaitingGuest {
    private static final double NANOS_PER_SECOND = 1e9;

    /** The time over which the clocks are compared. */
    private static final long CLOCK_MILLIS = 700;

    /** On a busy machine the messages may be late although the clock is right. */
    private static final int CLOCK_ATTEMPTS = 3;

    /** {@code /proc/uptime} counts hundredths of a second. */
    private static final double CLOCK_TOLERANCE = 0.04;

    private final GuestMachine machine;

    WaitingGuest(GuestMachine machine) {
        this.machine = machine;
    }

    /** Waits until the guest has booted. */
    void awaitBoot() throws IOException {
        expect("booted");
        machine.process().reached("booted");
    }

    /** Lets the guest continue, and returns when it does. */
    void resume() throws IOException {
        send("resume");
        expect("resumed");
        machine.process().reached("resumed");
    }

    /**
     * Whether the guest's clock runs at the speed of this machine's clock. On a busy machine the guest's kernel may
     * misjudge the speed of its processor; a snapshot would keep the error.
     */
    boolean hasTrueClock() throws IOException, InterruptedException {
        for (int attempt = 0; attempt < CLOCK_ATTEMPTS; attempt++) {
            if (clockRunsTrue()) {
                return true;
            }
        }
        return false;
    }

    private boolean clockRunsTrue() throws IOException, InterruptedException {
        long before = System.nanoTime();
        double first = clock();
        Thread.sleep(CLOCK_MILLIS);
        double guest = clock() - first;
        double here = (System.nanoTime() - before) / NANOS_PER_SECOND;
        return Math.abs(guest / here - 1) < CLOCK_TOLERANCE;
    }

    private double clock() throws IOException {
        send("clock");
        String answer = line();
        if (!answer.matches("clock [0-9.]+")) {
            throw new IOException("the guest answered " + answer);
        }
        return Double.parseDouble(answer.substring("clock ".length()));
    }

    private void send(String word) throws IOException {
        machine.control().write((word + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private void expect(String word) throws IOException {
        String line = line();
        if (!line.equals(word)) {
            throw new IOException("the guest said " + line + " in place of " + word);
        }
    }

    private String line() throws IOException {
        String line = machine.control().readLine();
        if (line == null) {
            throw new IOException("the guest has ended");
        }
        return line;
    }
}
