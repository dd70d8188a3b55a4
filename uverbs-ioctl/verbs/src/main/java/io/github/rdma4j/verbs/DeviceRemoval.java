// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.discovery.RemovalWatch;
import io.github.rdma4j.internal.fd.KernelFd;
import io.github.rdma4j.internal.undo.FirstFailure;
import io.github.rdma4j.internal.undo.LoadedClasses;
import io.github.rdma4j.internal.undo.Undo;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.RdmaDevice;
import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Closes its users when the kernel removes the device. A thread waits for the removal from the first registration until
 * the context is closed. The thread does not keep the context from being garbage collected.
 */
final class DeviceRemoval {
    private static final long PAUSE_MILLIS = 100;

    static {
        LoadedClasses.prepare(RdmaException.class);
    }

    private final Kernel kernel;
    private final RdmaDevice device;
    private final OpenFiles files;
    private final ReentrantLock beginning = new ReentrantLock();
    private final Set<AutoCloseable> users = ConcurrentHashMap.newKeySet();
    private boolean begun;
    private volatile boolean happened;

    /** Creates the users' list of {@code device}, whose context has {@code files}. */
    DeviceRemoval(Kernel kernel, RdmaDevice device, OpenFiles files) {
        this.kernel = kernel;
        this.device = device;
        this.files = files;
    }

    /** Registers {@code user} to be closed on removal, or closes it immediately after a removal. */
    void add(AutoCloseable user) throws RdmaException {
        begin();
        users.add(user);
        if (happened) {
            close(user);
        }
    }

    /** Unregisters {@code user}, which is already closed. */
    void remove(AutoCloseable user) {
        users.remove(user);
    }

    private void begin() throws RdmaException {
        beginning.lock();
        try {
            if (!begun) {
                Optional<RemovalWatch> news = RemovalWatch.open(kernel, device.requireUverbsName());
                if (news.isPresent()) {
                    start(news.get());
                }
                begun = true;
            }
        } finally {
            beginning.unlock();
        }
    }

    private void start(RemovalWatch news) throws RdmaException {
        WeakReference<DeviceRemoval> owner = new WeakReference<>(this);
        Undo.onFailure(
                () -> {
                    files.add(news.descriptor());
                    Thread thread = new Thread(() -> watch(news, owner), "rdma4j-removal-of-" + device.name());
                    thread.setDaemon(true);
                    thread.start();
                    return thread;
                },
                news.descriptor()::close);
    }

    private static void watch(RemovalWatch news, WeakReference<DeviceRemoval> owner) {
        KernelFd descriptor = news.descriptor();
        boolean over = false;
        while (!over && !descriptor.isClosed()) {
            try {
                news.await();
                over = true;
            } catch (RdmaException | InterruptedException | RuntimeException | Error failure) {
                if (!descriptor.isClosed()) {
                    pause(); // until memory or descriptors are available
                }
            }
        }
        descriptor.close();
        @Nullable DeviceRemoval removal = owner.get();
        if (over && removal != null) {
            removal.happened();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException ignored) {
            // the thread belongs to the library
        }
    }

    /** Closes all users, because the device is being removed or has failed. */
    void happened() {
        happened = true;
        users.forEach(this::close);
    }

    private void close(AutoCloseable user) {
        if (users.remove(user)) {
            try {
                user.close();
            } catch (Throwable thrown) {
                report(thrown);
            }
        }
    }

    /** Reports {@code thrown}. A handler that throws does not keep the other users from being closed. */
    private static void report(Throwable thrown) {
        Thread current = Thread.currentThread();
        try {
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        } catch (Throwable alsoThrown) {
            FirstFailure.suppress(thrown, alsoThrown);
        }
    }
}
