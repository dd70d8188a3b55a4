// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.bench.cost;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.RdmaVerbs;
import io.github.rdma4j.verbs.CompletionQueue;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.QueuePair;
import io.github.rdma4j.verbs.QueuePairOptions;
import io.github.rdma4j.verbs.attr.QpAttr;
import io.github.rdma4j.verbs.attr.QpState;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import jnr.ffi.LibraryLoader;
import org.jspecify.annotations.Nullable;

/**
 * The objects of DiSNI that {@link DisniPace} uses. DiSNI makes queue pairs on connections only, which the kernel of {@code kernel.c} does
 * not have: here the constructors of both implementations are called by their names.
 *
 * @param verbs the calls
 * @param qp a queue pair
 * @param cq its completion queue
 * @param address of {@link #LENGTH} bytes
 * @param lkey the local key of the bytes
 */
record DisniObjects(RdmaVerbs verbs, IbvQP qp, IbvCQ cq, long address, int lkey) {
    static final int LENGTH = 64;

    private static final int PIECES = 4;
    private static final String RDMA4J = "io.github.rdma4j.disni.";
    private static final String LIBDISNI = "com.ibm.disni.verbs.impl.";

    /** Over rdma4j, on the kernel of {@code library}, with {@code sysfs} in the place of /sys. */
    static DisniObjects ofRdma4j(Path library, Path sysfs) throws IOException {
        DeviceContext context = CostPace.openDevice(CostPace.kernel(library, sysfs));
        ProtectionDomain pd = context.allocatePd();
        CompletionQueue cq = context.createCq(2 * VerbsSteps.BATCH - 1);
        QueuePair qp = pd.createQp(QueuePairOptions.builder()
                .cq(cq)
                .maxSendWr(VerbsSteps.BATCH)
                .maxReceiveWr(1)
                .maxSendSge(PIECES)
                .maxInline(LENGTH)
                .build());
        qp.modify(QpAttr.builder().state(QpState.RTS).build());
        RdmaVerbs verbs = make(RdmaVerbs.class, RDMA4J + "VerbsOverRdma4j");
        Object device = make(Object.class, RDMA4J + "Handles$Context", context);
        IbvPd domain = make(IbvPd.class, RDMA4J + "Handles$Pd", device, pd);
        IbvCQ queue = make(IbvCQ.class, RDMA4J + "Handles$Cq", device, null, cq);
        IbvMr mr = verbs.regMr(domain, ByteBuffer.allocateDirect(LENGTH), IbvMr.IBV_ACCESS_LOCAL_WRITE)
                .execute()
                .getMr();
        IbvQP pair = make(IbvQP.class, RDMA4J + "Handles$Qp", qp, domain, queue, queue);
        return new DisniObjects(verbs, pair, queue, mr.getAddr(), mr.getLkey());
    }

    /** Over libdisni, with what {@code objects}, a library, makes by libibverbs. */
    static DisniObjects ofLibdisni(Path objects) {
        long[] made = new long[4];
        LibraryLoader.create(LibdisniObjects.class).load(objects.toString()).disni_objects(made);
        Object dispatcher = make(Object.class, LIBDISNI + "NativeDispatcher");
        RdmaVerbs verbs = make(RdmaVerbs.class, LIBDISNI + "RdmaVerbsNat", dispatcher);
        IbvQP qp = make(IbvQP.class, LIBDISNI + "NatIbvQP", made[0], dispatcher);
        IbvCQ cq = make(IbvCQ.class, LIBDISNI + "NatIbvCQ", made[1], null, null, 0);
        return new DisniObjects(verbs, qp, cq, made[2], (int) made[3]);
    }

    /** By the only constructor of a class that is not public, or not in both class paths. */
    private static <T> T make(Class<T> type, String name, @Nullable Object... arguments) {
        try {
            Constructor<?> constructor = Class.forName(name).getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            return type.cast(constructor.newInstance(arguments));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make " + name, e);
        }
    }
}
