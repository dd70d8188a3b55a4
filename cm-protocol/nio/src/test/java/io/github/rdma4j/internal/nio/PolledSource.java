// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.nio;

import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.SelectorProvider;

/**
 * A channel whose descriptor says only that something has happened, as that of an RDMA connection does: the eventfd is readable once
 * an event was raised after the source was armed.
 */
final class PolledSource extends AbstractSelectableChannel implements Selectable, Source {
    /** An event was raised. */
    private static final int UNSEEN = 1 << 16;

    private final Syscalls syscalls = LinuxKernel.running().syscalls();
    private final KernelFd eventfd = KernelFd.adopt(syscalls, syscalls.eventfd(), "eventfd of a test");

    private final Keys keys = new Keys(this, eventfd::close);

    private int pending;
    private int processed;
    private boolean armed;

    /** How often the source was asked. */
    private int asked;

    /** What others do between the question and the request for an event. */
    private Runnable between = () -> {};

    PolledSource(SelectorProvider provider) {
        super(provider);
    }

    /** Something happens: {@code bits} of poll(2) become ready, or none if the event is one that no program sees. */
    synchronized void raise(int bits) {
        pending |= bits | UNSEEN;
        if (armed) {
            armed = false;
            syscalls.eventfdSignal(eventfd.number());
        }
    }

    /** Once, right before the source is armed, another thread of the program takes what has happened: {@code bits} are ready. */
    synchronized void takenBeforeArming(int bits) {
        between = () -> {
            between = () -> {};
            processed |= bits;
        };
    }

    /** The program has read everything. */
    synchronized void consume() {
        processed = 0;
    }

    synchronized int asked() {
        return asked;
    }

    @Override
    public synchronized int readiness() {
        asked++;
        syscalls.eventfdDrain(eventfd.number());
        processed |= pending & ~UNSEEN;
        pending = 0;
        return processed;
    }

    @Override
    public synchronized boolean arm(int events) {
        between.run();
        armed = pending == 0;
        return armed && (processed & events) == 0;
    }

    synchronized boolean isArmed() {
        return armed;
    }

    @Override
    public KernelFd descriptor() {
        return eventfd;
    }

    @Override
    public boolean isPolled() {
        return true;
    }

    @Override
    public Source source() {
        return this;
    }

    @Override
    public Keys keys() {
        return keys;
    }

    @Override
    public int validOps() {
        return SelectionKey.OP_READ | SelectionKey.OP_WRITE;
    }

    @Override
    protected void implCloseSelectableChannel() {
        keys.close(eventfd);
    }

    @Override
    protected void implConfigureBlocking(boolean block) {}

    SelectableChannel nonBlocking() throws IOException {
        return configureBlocking(false);
    }
}
