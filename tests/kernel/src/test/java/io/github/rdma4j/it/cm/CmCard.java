// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.cm;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.testkit.IwarpQueuePairs;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.providers.card.CardThread;
import io.github.rdma4j.providers.kernel.BnxtSettings;
import io.github.rdma4j.providers.kernel.CardKernel;
import io.github.rdma4j.providers.kernel.CardSettings;
import io.github.rdma4j.providers.kernel.ErdmaSettings;
import io.github.rdma4j.providers.kernel.IrdmaSettings;
import io.github.rdma4j.providers.kernel.Mlx4Settings;
import io.github.rdma4j.providers.kernel.Mlx5Settings;
import io.github.rdma4j.testkit.model.ModelRdmaCm;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A kernel whose connection manager is the model's and whose device is a card in software: both say the same addresses and GUID.
 * A call goes to the one whose descriptor it names; only poll(2) may name descriptors of both.
 */
final class CmCard implements AutoCloseable {
    /** Descriptors of the card's kernel begin here. */
    private static final int FIRST_OF_CARD = 500;

    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int INTS = 2;

    /** The number of the model's rdma_cm. */
    private static final String MANAGER = "10:124";

    private final ModelRdmaCm model = new ModelRdmaCm();
    private final CardKernel card;
    private final Syscalls ofModel = LinuxKernel.of(model.kernel()).syscalls();
    private final Syscalls ofCard;
    private final CardThread thread;
    private final Kernel kernel;

    /** The devices in software that the connection manager connects. */
    enum Device {
        CONNECTX,
        CONNECTX_3,
        NETXTREME_P7,
        NETXTREME_P5,
        E810_OVER_ROCE,
        E810_OVER_IWARP,
        X722,
        ERDMA;

        boolean isIwarp() {
            return this == E810_OVER_IWARP || this == X722 || this == ERDMA;
        }

        private CardSettings<?> settings() {
            return switch (this) {
                case CONNECTX -> new Mlx5Settings();
                case CONNECTX_3 -> new Mlx4Settings();
                case NETXTREME_P7 -> new BnxtSettings();
                case NETXTREME_P5 -> new BnxtSettings().p5();
                case E810_OVER_ROCE -> new IrdmaSettings();
                case E810_OVER_IWARP -> new IrdmaSettings().iwarp();
                case X722 -> new IrdmaSettings().x722();
                case ERDMA -> new ErdmaSettings();
            };
        }
    }

    /** Writes into the empty folder {@code sysfs} where the connection manager is; the card's kernel says the rest by ioctl. */
    CmCard(Path sysfs, Device device) throws IOException {
        card = device.settings().start();
        card.iwarpQueuePairs().ifPresent(((IwarpQueuePairs.Manager) ofModel)::serve);
        ofCard = LinuxKernel.of(card.kernel()).syscalls();
        thread = CardThread.start(card.card());
        Syscalls both = (Syscalls)
                Proxy.newProxyInstance(Syscalls.class.getClassLoader(), new Class<?>[] {Syscalls.class}, this::call);
        Path manager =
                Files.createDirectories(sysfs.resolve("class").resolve("misc").resolve("rdma_cm"));
        Files.writeString(manager.resolve("dev"), MANAGER + "\n");
        Files.writeString(manager.resolve("abi_version"), "4\n");
        kernel = new LinuxKernel(both, sysfs, LinuxKernel.of(card.kernel()).dev());
    }

    Kernel kernel() {
        return kernel;
    }

    ModelRdmaCm model() {
        return model;
    }

    /** The name of the device. */
    String device() {
        return card.device();
    }

    private Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "hashCode" -> System.identityHashCode(proxy);
            case "equals" -> proxy == arguments[0];
            case "open" -> on(String.valueOf(arguments[0]).endsWith("/rdma_cm") ? ofModel : ofCard, method, arguments);
            case "eventfd" -> on(ofModel, method, arguments);
            case "poll" -> poll((int[]) arguments[0], (int) arguments[1]);
            case "mmap", "munmap", "socket", "lockedMemoryLimit", "pageSize", "toString" ->
                on(ofCard, method, arguments);
            default -> on((int) arguments[0] < FIRST_OF_CARD ? ofModel : ofCard, method, arguments);
        };
    }

    private static Object on(Syscalls kernel, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(kernel, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private int poll(int[] entries, int timeoutMillis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        while (true) {
            int ready = 0;
            for (int i = 0; i < entries.length; i += INTS) {
                int[] one = {entries[i], entries[i + 1]};
                ready += (one[0] < FIRST_OF_CARD ? ofModel : ofCard).poll(one, 0);
                entries[i + 1] = one[1];
            }
            if (ready > 0 || (timeoutMillis >= 0 && System.nanoTime() - end >= 0)) {
                return ready;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Fails when an id, a descriptor or an object is left, or when the device has a complaint. */
    @Override
    public void close() {
        thread.close();
        model.assertNothingLeft();
        card.assertClean();
    }
}
