// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import static io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands.IB_USER_VERBS_CMD_REG_MR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Syscalls;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.kernel.Errno;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regions of buffers that come again and again. */
class RegistrationCacheTest {
    private static final int PAGE = 4096;
    private static final int PAGES = 4;

    private final ModelKernel kernel = new ModelKernel();
    private DeviceContext context;
    private ProtectionDomain pd;
    private RegistrationCache cache;

    @BeforeEach
    void open() throws RdmaException {
        context = kernel.open();
        pd = context.allocatePd();
        cache = RegistrationCache.open(pd, EnumSet.of(Access.LOCAL_WRITE), (long) PAGES * PAGE);
    }

    @AfterEach
    void close() throws RdmaException {
        context.close();
        kernel.assertClean();
    }

    /** One page that is one page, wherever it lies. */
    private static ByteBuffer page() {
        return ByteBuffer.allocateDirect(2 * PAGE).alignedSlice(PAGE).slice(0, PAGE);
    }

    /** Such as some kernels on arm64 have: each region pins one, however small the region is. */
    @Test
    void countsThePagesOfTheKernel() throws RdmaException {
        int large = 16 * 1024;
        kernel.pageSize(large);
        assertThatThrownBy(() -> RegistrationCache.open(pd, EnumSet.of(Access.LOCAL_WRITE), large - 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it must be 16384 or more");
        try (RegistrationCache counting = RegistrationCache.open(pd, EnumSet.of(Access.LOCAL_WRITE), 2L * large)) {
            ByteBuffer memory = ByteBuffer.allocateDirect(4 * large).alignedSlice(large);
            for (int i = 0; i < 3; i++) {
                counting.release(counting.acquire(memory.slice(i * large, PAGE)));
            }
            assertThat(counting.registeredBytes()).isEqualTo(2L * large);
            assertThat(regions()).isEqualTo(2);
        }
    }

    private long regions() {
        return kernel.objects().stream().filter("mr"::equals).count();
    }

    private MemoryRegion use(ByteBuffer buffer) throws RdmaException {
        MemoryRegion region = cache.acquire(buffer);
        cache.release(region);
        return region;
    }

    @Test
    void registersABufferOnce() throws Exception {
        ByteBuffer buffer = page();
        MemoryRegion region = cache.acquire(buffer);
        assertThat(region.length()).isEqualTo(PAGE);
        assertThat(region.iova()).isEqualTo(NativeMemory.address(buffer));
        assertThat(use(buffer.duplicate().position(100).limit(200))).isSameAs(region);
        cache.release(region);
        assertThat(use(buffer)).isSameAs(region);
        assertThat(use(buffer.slice(0, 100))).isNotSameAs(region);
        assertThat(List.of(cache.hits(), cache.misses(), cache.evictions())).containsExactly(2L, 2L, 0L);
        assertThat(regions()).isEqualTo(2);
        assertThat(cache.registeredBytes()).isEqualTo(2 * PAGE);
    }

    @Test
    void countsWholePages() throws Exception {
        ByteBuffer memory = ByteBuffer.allocateDirect(3 * PAGE).alignedSlice(PAGE);
        use(memory.slice(PAGE - 1, 2));
        assertThat(cache.registeredBytes()).isEqualTo(2 * PAGE);
    }

    @Test
    void evictsWhatWasUsedLongestAgo() throws Exception {
        List<ByteBuffer> buffers = new ArrayList<>();
        List<MemoryRegion> cached = new ArrayList<>();
        for (int i = 0; i < PAGES; i++) {
            buffers.add(page());
            cached.add(use(buffers.get(i)));
        }
        use(buffers.get(0));
        use(page());
        assertThat(cached).extracting(MemoryRegion::isClosed).containsExactly(false, true, false, false);
        assertThat(cache.evictions()).isEqualTo(1);
        assertThat(regions()).isEqualTo(PAGES);
        assertThat(use(buffers.get(1))).isNotSameAs(cached.get(1));
    }

    @Test
    void evictsNothingThatIsInUse() throws Exception {
        List<MemoryRegion> used = new ArrayList<>();
        for (int i = 0; i < PAGES; i++) {
            used.add(cache.acquire(page()));
        }
        assertThatThrownBy(() -> cache.acquire(page()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("in use");
        assertThat(used).noneMatch(MemoryRegion::isClosed);
        assertThat(regions()).isEqualTo(PAGES);
        cache.release(used.get(2));
        use(page());
        assertThat(used).extracting(MemoryRegion::isClosed).containsExactly(false, false, true, false);
    }

    @Test
    void keepsTheMemoryOfWhatIsCached() throws Exception {
        WeakReference<ByteBuffer> cached = useAndForget();
        WeakReference<ByteBuffer> other = new WeakReference<>(ByteBuffer.allocateDirect(64));
        while (other.get() != null) {
            System.gc();
        }
        assertThat(cached.get()).isNotNull();
        cache.close();
        while (cached.get() != null) {
            System.gc();
        }
    }

    /** The memory itself, not a view of it: views refer to it. */
    private WeakReference<ByteBuffer> useAndForget() throws RdmaException {
        ByteBuffer memory = ByteBuffer.allocateDirect(64);
        use(memory);
        return new WeakReference<>(memory);
    }

    @Test
    void keepsRegionsInUseWhenItIsClosed() throws Exception {
        MemoryRegion used = cache.acquire(page());
        MemoryRegion unused = use(page());
        cache.close();
        cache.close();
        assertThat(unused.isClosed()).isTrue();
        assertThat(used.isClosed()).isFalse();
        assertThatThrownBy(() -> cache.acquire(page()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        cache.release(used);
        assertThat(used.isClosed()).isTrue();
        assertThat(regions()).isZero();
        assertThat(cache.registeredBytes()).isZero();
    }

    @Test
    void refusesToReleaseWhatIsNotInUse() throws Exception {
        MemoryRegion region = use(page());
        assertThatThrownBy(() -> cache.release(region)).isInstanceOf(IllegalArgumentException.class);
        MemoryRegion other = pd.registerMr(page(), EnumSet.noneOf(Access.class));
        assertThatThrownBy(() -> cache.release(other)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesWhatCannotBeRegistered() {
        assertThatThrownBy(() -> cache.acquire(ByteBuffer.allocate(8))).hasMessageContaining("heap");
        assertThatThrownBy(() -> cache.acquire(page().asReadOnlyBuffer())).hasMessageContaining("read-only");
        assertThatThrownBy(() -> cache.acquire(ByteBuffer.allocateDirect(0))).hasMessageContaining("0 bytes");
        kernel.refuse(IB_USER_VERBS_CMD_REG_MR, Errno.ENOMEM);
        assertThatThrownBy(() -> cache.acquire(page()))
                .isInstanceOf(RdmaException.class)
                .hasMessageContaining("ulimit -l");
        kernel.allow(IB_USER_VERBS_CMD_REG_MR);
        assertThat(cache.registeredBytes()).isZero();
        assertThatThrownBy(() -> RegistrationCache.open(pd, EnumSet.noneOf(Access.class), 4095))
                .hasMessageContaining("4096 or more");
    }

    @Test
    void forgetsRegionsThatWentWithTheProtectionDomain() throws Exception {
        ByteBuffer buffer = page();
        MemoryRegion region = cache.acquire(buffer);
        pd.close();
        assertThatThrownBy(() -> cache.acquire(buffer))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
        cache.release(region);
        assertThat(cache.registeredBytes()).isZero();
        cache.close();
    }

    @Test
    void servesManyThreads() throws Exception {
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 2 * PAGES; i++) {
            buffers.add(page());
        }
        ExecutorService threads = Executors.newFixedThreadPool(PAGES);
        List<Future<Integer>> done = threads.invokeAll(
                List.of(rounds(buffers, 1), rounds(buffers, 3), rounds(buffers, 5), rounds(buffers, 7)));
        for (Future<Integer> one : done) {
            assertThat(one.get()).isZero();
        }
        threads.shutdown();
        assertThat(cache.hits() + cache.misses()).isEqualTo(4 * 500L);
        assertThat(cache.registeredBytes()).isEqualTo(regions() * PAGE).isLessThanOrEqualTo(PAGES * PAGE);
        cache.close();
        assertThat(regions()).isZero();
    }

    private Callable<Integer> rounds(List<ByteBuffer> buffers, int step) {
        return () -> {
            int wrong = 0;
            for (int i = 0; i < 500; i++) {
                ByteBuffer buffer = buffers.get(i * step % buffers.size());
                MemoryRegion region = cache.acquire(buffer);
                wrong += region.isClosed() || region.iova() != NativeMemory.address(buffer) ? 1 : 0;
                cache.release(region);
            }
            return wrong;
        };
    }

    /** A removal of the device closes the caches that it knows, which must not keep those that are closed. */
    @Test
    void isForgottenWhenItIsClosedWhileItRegisters(@TempDir Path sysfs) throws Exception {
        Files.createDirectories(sysfs.resolve("class/infiniband_verbs"));
        AtomicReference<RegistrationCache> closing = new AtomicReference<>();
        DeviceContext watched = watched(sysfs, () -> {
            Objects.requireNonNull(closing.get()).close();
            return null;
        });
        WeakReference<RegistrationCache> closed = closedWhileItRegisters(watched, closing);
        WeakReference<Object> other = new WeakReference<>(new Object());
        while (other.get() != null) {
            System.gc();
        }
        assertThat(closed.get()).isNull();
        watched.close();
    }

    private static WeakReference<RegistrationCache> closedWhileItRegisters(
            DeviceContext watched, AtomicReference<RegistrationCache> closing) throws RdmaException {
        ProtectionDomain domain = watched.allocatePd();
        RegistrationCache registering =
                RegistrationCache.open(domain, EnumSet.of(Access.LOCAL_WRITE), (long) PAGES * PAGE);
        closing.set(registering);
        assertThatThrownBy(() -> registering.acquire(page())).hasMessageContaining("is closed");
        closing.set(null);
        domain.close();
        return new WeakReference<>(registering);
    }

    /** A device for whose removal somebody begins to wait, which is the moment of {@code beginning}. */
    private DeviceContext watched(Path sysfs, Callable<?> beginning) throws RdmaException {
        Syscalls calls = (Syscalls) Proxy.newProxyInstance(
                Syscalls.class.getClassLoader(), new Class<?>[] {Syscalls.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("socket")) {
                        beginning.call();
                    }
                    return method.invoke(kernel, arguments);
                });
        return DeviceContext.open(new LinuxKernel(calls, sysfs, Path.of("/dev")), context.device());
    }
}
