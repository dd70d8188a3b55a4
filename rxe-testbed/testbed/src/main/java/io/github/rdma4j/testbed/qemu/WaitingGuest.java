// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testbed.qemu;

import io.github.rdma4j.testbed.machine.GuestMachine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * The launcher's side of {@code await_launcher} in {@code init}: a guest that has booted and waits on its control port,
 * before {@code agent.pl} has it.
 */
final class WaitingGuest {
    private static final double NANOS_PER_SECOND = 1e9;

    /** How long the guest's clock is held against this machine's. */
    private static final long CLOCK_MILLIS = 700;

    /** On a busy machine the messages may be late, which is no fault of the clock. */
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

    /** Lets the guest go on, and returns when it does. */
    void resume() throws IOException {
        send("resume");
        expect("resumed");
        machine.process().reached("resumed");
    }

    /**
     * Whether the guest's clock runs as this machine's does. On a busy machine the guest's kernel may take its
     * processor for a faster or slower one, and would, saved, do so for ever.
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
