// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import static io.github.rdma4j.bench.cost.VerbsSteps.BATCH;
import static io.github.rdma4j.bench.cost.VerbsSteps.NOTHING;
import static io.github.rdma4j.bench.cost.VerbsSteps.check;

import io.github.rdma4j.bench.cost.PaceLoop.Benchmark;
import io.github.rdma4j.bench.cost.PaceLoop.Step;
import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Binding;
import io.github.rdma4j.internal.libc.JnrSyscalls;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import jnr.ffi.LibraryLoader;

/** What {@code pace.c} does, in Java, with the lines of {@link PaceLoop}. A program of its own, which {@link CostBench} starts. */
public final class CostPace implements AutoCloseable {
    private static final int TYPE_OF_SERVICE = 8;

    private final InstantDevice device;
    private final DeviceContext context;
    private final VerbsSteps verbs;
    private final EventChannel channel;
    private final CmId id;

    private CostPace(Path library, Path sysfs) throws RdmaException {
        Kernel kernel = kernel(library, sysfs);
        device = LibraryLoader.create(InstantDevice.class).load(library.toString());
        device.kernel_has_ioctl(1);
        context = openDevice(kernel);
        verbs = new VerbsSteps(context);
        verbs.qp().modify(QpAttr.builder().state(QpState.RTS).build());
        channel = EventChannel.open(kernel);
        id = channel.createId(PortSpace.TCP);
    }

    /** The kernel of {@code library}, with {@code sysfs} in the place of /sys. */
    static Kernel kernel(Path library, Path sysfs) {
        System.setProperty(Binding.LIBRARY_PROPERTY, library.toString());
        return new LinuxKernel(JnrSyscalls.load(), sysfs, Path.of("/dev"));
    }

    static DeviceContext openDevice(Kernel kernel) throws RdmaException {
        return DeviceContext.open(kernel, RdmaDevices.find(kernel, "rxe0"));
    }

    /** Arguments: milliseconds of an iteration, iterations, batches of warming up, the library, the directory of sysfs. */
    public static void main(String... arguments) throws IOException {
        try (CostPace pace = new CostPace(Path.of(arguments[3]), Path.of(arguments[4]))) {
            new PaceLoop(arguments).measure(pace.benchmarks());
        }
    }

    private Map<String, Benchmark> benchmarks() {
        Step complete = () -> check(device.device_complete(BATCH) == BATCH);
        Step calls = () -> device.kernel_make_calls(1);
        Step noCalls = () -> device.kernel_make_calls(0);
        Map<String, Benchmark> all = verbs.benchmarks(complete, complete);
        Benchmark post = Objects.requireNonNull(all.get("post"), "post");
        all.put("post_syscall", new Benchmark(calls, post.timed(), () -> {
            noCalls.run();
            post.after().run();
        }));
        all.put("cm_set_option", new Benchmark(NOTHING, this::setOption, NOTHING));
        all.put("cm_init_qp_attr", new Benchmark(NOTHING, this::initQpAttr, NOTHING));
        all.put("cm_create_destroy", new Benchmark(NOTHING, this::createId, NOTHING));
        all.put("cm_set_option_syscall", new Benchmark(calls, this::setOption, noCalls));
        return all;
    }

    private void setOption() throws RdmaException {
        for (int i = 0; i < BATCH; i++) {
            id.settings().typeOfService(TYPE_OF_SERVICE);
        }
    }

    private void initQpAttr() throws RdmaException {
        for (int i = 0; i < BATCH; i++) {
            check(id.userManagedQp().attributes(QpState.RTR).destQpNum() != 0);
        }
    }

    /** Two commands. */
    private void createId() throws RdmaException {
        for (int i = 0; i < BATCH; i += 2) {
            channel.createId(PortSpace.TCP).close();
        }
    }

    @Override
    public void close() throws RdmaException {
        id.close();
        channel.close();
        context.close();
    }
}
