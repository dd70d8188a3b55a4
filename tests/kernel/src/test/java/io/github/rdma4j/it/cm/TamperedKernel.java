// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.support.Await;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** The running kernel, which gives no descriptors, or takes its time over a command or refuses it, when a test says so. */
final class TamperedKernel {
    private static final int EMFILE = 24;

    private final Syscalls real = LinuxKernel.running().syscalls();
    private final Map<Integer, Errno> refusals = new ConcurrentHashMap<>();
    private final Map<Integer, Hold> holds = new ConcurrentHashMap<>();
    private final Set<Object> connectionManagers = ConcurrentHashMap.newKeySet();
    private final Kernel kernel;
    private volatile boolean descriptorsUsedUp;

    TamperedKernel() {
        Syscalls tampered = (Syscalls)
                Proxy.newProxyInstance(Syscalls.class.getClassLoader(), new Class<?>[] {Syscalls.class}, this::call);
        kernel = new LinuxKernel(tampered, Path.of("/sys"), Path.of("/dev"));
    }

    Kernel kernel() {
        return kernel;
    }

    /** From now on no call gives a descriptor. */
    void useUpDescriptors() {
        descriptorsUsedUp = true;
    }

    void freeDescriptors() {
        descriptorsUsedUp = false;
    }

    /** A command of the connection manager that is held up. */
    static final class Hold implements AutoCloseable {
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        private Hold() {}

        /** Waits until somebody has given the command. */
        void awaitReached() throws InterruptedException {
            Await.until("the command is given", () -> reached.getCount() == 0);
        }

        /** Lets it go on, and all further ones. */
        @Override
        public void close() {
            released.countDown();
        }
    }

    /** Holds up every command of that number, until the result is closed. */
    Hold hold(int command) {
        Hold hold = new Hold();
        holds.put(command, hold);
        return hold;
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "open", "eventfd", "socket" ->
                descriptorsUsedUp ? (Object) (-EMFILE) : noteOpened(arguments, onReal(method, arguments));
            case "close" -> {
                connectionManagers.remove(arguments[0]);
                yield onReal(method, arguments);
            }
            case "write" -> write(method, arguments);
            default -> onReal(method, arguments);
        };
    }

    private Object noteOpened(Object[] arguments, Object descriptor) {
        if (arguments != null && arguments[0].toString().endsWith("rdma_cm")) {
            connectionManagers.add(descriptor);
        }
        return descriptor;
    }

    private Object write(Method method, Object[] arguments) throws Throwable {
        if (connectionManagers.contains(arguments[0])) {
            int command = NativeMemory.view((long) arguments[1], Integer.BYTES).getInt(0);
            awaitRelease(command);
            Errno refusal = refusals.get(command);
            if (refusal != null) {
                return (long) -refusal.number();
            }
        }
        return onReal(method, arguments);
    }

    private Object onReal(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause();
        }
    }

    /** Has every command of that number refused. */
    void refuse(int command, Errno errno) {
        refusals.put(command, errno);
    }

    private void awaitRelease(int command) throws InterruptedException {
        Hold hold = holds.get(command);
        if (hold != null) {
            hold.reached.countDown();
            hold.released.await();
        }
    }
}
