// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.discovery.RemovalWatch;
import io.github.rdma4j.internal.memory.Suppression;
import io.github.rdma4j.internal.syscall.KernelFd;
import io.github.rdma4j.internal.verbs.Undo;
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
 * Closes what its users want closed when the kernel takes a device away. A thread waits for the news, from the first user on
 * until the context is closed; it does not keep the context from being garbage.
 */
final class DeviceRemoval {
    private static final long PAUSE_MILLIS = 100;

    static {
        Suppression.prepare(RdmaException.class);
    }

    private final Kernel kernel;
    private final RdmaDevice device;
    private final OpenFiles files;
    private final ReentrantLock beginning = new ReentrantLock();
    private final Set<AutoCloseable> users = ConcurrentHashMap.newKeySet();
    private boolean begun;
    private volatile boolean happened;

    /** Of a device whose context has {@code files}. */
    DeviceRemoval(Kernel kernel, RdmaDevice device, OpenFiles files) {
        this.kernel = kernel;
        this.device = device;
        this.files = files;
    }

    /** Has {@code user} closed when the device goes, or here and now when it has gone already. */
    void add(AutoCloseable user) throws RdmaException {
        begin();
        users.add(user);
        if (happened) {
            close(user);
        }
    }

    /** Is closed already. */
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
        WeakReference<DeviceRemoval> told = new WeakReference<>(this);
        Undo.onFailure(
                () -> {
                    files.add(news.descriptor());
                    Thread thread = new Thread(() -> watch(news, told), "rdma4j-removal-of-" + device.name());
                    thread.setDaemon(true);
                    thread.start();
                    return thread;
                },
                news.descriptor()::close);
    }

    private static void watch(RemovalWatch news, WeakReference<DeviceRemoval> told) {
        KernelFd descriptor = news.descriptor();
        boolean over = false;
        while (!over && !descriptor.isClosed()) {
            try {
                news.await();
                over = true;
            } catch (RdmaException | InterruptedException | RuntimeException | Error lackOrEnd) {
                if (!descriptor.isClosed()) {
                    pause(); // for memory or descriptors
                }
            }
        }
        descriptor.close();
        @Nullable DeviceRemoval removal = told.get();
        if (over && removal != null) {
            removal.happened();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException nobodyAsked) {
            // the thread is the library's own
        }
    }

    /** The device goes, or does nothing any more. */
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

    /** The others are told, whatever the handler does. */
    private static void report(Throwable thrown) {
        Thread current = Thread.currentThread();
        try {
            current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
        } catch (Throwable alsoThrown) {
            Suppression.add(thrown, alsoThrown);
        }
    }
}
