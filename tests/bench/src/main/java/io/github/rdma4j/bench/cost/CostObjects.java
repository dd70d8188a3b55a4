// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import io.github.rdma4j.cm.CmId;
import io.github.rdma4j.cm.EventChannel;
import io.github.rdma4j.cm.PortSpace;
import io.github.rdma4j.internal.fd.LinuxKernel;
import io.github.rdma4j.internal.libc.Binding;
import io.github.rdma4j.internal.libc.JnrSyscalls;
import io.github.rdma4j.kernel.Kernel;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.RdmaDevices;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.WorkCompletion;
import io.github.rdma4j.verbs.attr.Access;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import jnr.ffi.LibraryLoader;

/** The objects that {@code pace.c} has, in Java, and the operations of its benchmarks: each does {@link #BATCH} of them. */
final class CostObjects implements AutoCloseable {
    static final int BATCH = 256;

    private static final int MANY = 16;
    private static final int LENGTH = 64;
    private static final int TYPE_OF_SERVICE = 8;

    private final InstantDevice device;
    private final EventChannel channel;
    private final CmId id;
    private final DeviceContext context;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final SendWorkRequest single;
    private final SendWorkRequest inline = new SendWorkRequest(0)
            .wrId(1)
            .send()
            .inline(ByteBuffer.allocate(LENGTH))
            .signaled();
    private final SendWorkRequest[] chain = new SendWorkRequest[MANY];
    private final WorkCompletion[] one = WorkCompletion.array(1);
    private final WorkCompletion[] many = WorkCompletion.array(MANY);

    /** On the kernel of {@code library}, with {@code sysfs} in the place of /sys. */
    CostObjects(Path library, Path sysfs) throws RdmaException {
        System.setProperty(Binding.LIBRARY_PROPERTY, library.toString());
        Kernel kernel = new LinuxKernel(JnrSyscalls.load(), sysfs, Path.of("/dev"));
        device = LibraryLoader.create(InstantDevice.class).load(library.toString());
        device.kernel_has_ioctl(1);
        context = DeviceContext.open(kernel, RdmaDevices.find(kernel, "rxe0"));
        ProtectionDomain pd = context.allocatePd();
        MemoryRegion region = pd.registerMr(ByteBuffer.allocateDirect(LENGTH), EnumSet.of(Access.LOCAL_WRITE));
        cq = context.createCq(2 * BATCH - 1);
        qp = pd.createQp(QueuePairOptions.builder()
                .cq(cq)
                .maxSendWr(BATCH)
                .maxReceiveWr(1)
                .maxInline(LENGTH)
                .build());
        qp.modify(QpAttr.builder().state(QpState.RTS).build());
        single = new SendWorkRequest(1).wrId(1).send().add(region, 0, LENGTH).signaled();
        Arrays.fill(chain, single);
        channel = EventChannel.open(kernel);
        id = channel.createId(PortSpace.TCP);
    }

    InstantDevice device() {
        return device;
    }

    // ---- what is timed

    void post() throws RdmaException {
        for (int i = 0; i < BATCH; i++) {
            qp.postSend(single);
        }
    }

    void postMany() throws RdmaException {
        for (int posted = 0; posted < BATCH; posted += MANY) {
            check(qp.postSend(chain, MANY) == MANY);
        }
    }

    void postInline() throws RdmaException {
        for (int i = 0; i < BATCH; i++) {
            qp.postSend(inline);
        }
    }

    void poll() {
        for (int i = 0; i < BATCH; i++) {
            check(cq.poll(one) == 1 && one[0].isSuccess() && one[0].wrId() == 1);
        }
    }

    void pollMany() {
        for (int polled = 0; polled < BATCH; polled += MANY) {
            check(cq.poll(many) == MANY && many[0].isSuccess() && many[0].wrId() == 1);
        }
    }

    void pollEmpty() {
        for (int i = 0; i < BATCH; i++) {
            check(cq.poll(one) == 0);
        }
    }

    void setOption() throws RdmaException {
        for (int i = 0; i < BATCH; i++) {
            id.settings().typeOfService(TYPE_OF_SERVICE);
        }
    }

    void initQpAttr() throws RdmaException {
        for (int i = 0; i < BATCH; i++) {
            check(id.userManagedQp().attributes(QpState.RTR).destQpNum() != 0);
        }
    }

    /** Two commands. */
    void createId() throws RdmaException {
        for (int i = 0; i < BATCH; i += 2) {
            channel.createId(PortSpace.TCP).close();
        }
    }

    // ---- what is not

    void drain() {
        complete();
        pollMany();
    }

    void fill() throws RdmaException {
        postMany();
        complete();
    }

    void calls() {
        device.kernel_make_calls(1);
    }

    void noCalls() {
        device.kernel_make_calls(0);
    }

    private void complete() {
        check(device.device_complete(BATCH) == BATCH);
    }

    private static void check(boolean good) {
        if (!good) {
            throw new IllegalStateException("the completion does not match the request that was posted");
        }
    }

    @Override
    public void close() throws RdmaException {
        id.close();
        channel.close();
        context.close();
    }
}
