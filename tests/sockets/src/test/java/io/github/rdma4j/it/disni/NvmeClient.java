// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.it.disni;

import com.ibm.jnvmf.Controller;
import com.ibm.jnvmf.IoQueuePair;
import com.ibm.jnvmf.Namespace;
import com.ibm.jnvmf.Nvme;
import com.ibm.jnvmf.NvmeQualifiedName;
import com.ibm.jnvmf.NvmfTransportId;
import java.net.InetSocketAddress;

/**
 * A client of jNVMf: writes a pattern to each block of a namespace, reads all blocks back and compares every byte, with one command
 * under way and with 32.
 */
final class NvmeClient {
    /** How many commands are under way at a time. */
    static final int[] DEPTHS = {1, 32};

    private static final int QUEUE = 64;

    private NvmeClient() {}

    /** Arguments: address and port of the target, and the name of its subsystem. */
    public static void main(String[] arguments) throws Exception {
        Controller controller = new Nvme()
                .connect(new NvmfTransportId(
                        new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])),
                        new NvmeQualifiedName(arguments[2])));
        controller.getControllerConfiguration().setEnable(true);
        controller.syncConfiguration();
        controller.waitUntilReady();
        controller.keepAlive();
        Namespace namespace = controller.getActiveNamespaces().get(0);
        IoQueuePair queue = controller.createIoQueuePair(QUEUE);
        for (int depth : DEPTHS) {
            try (NvmeBlocks blocks = new NvmeBlocks(queue, namespace, depth)) {
                long writes = blocks.write();
                long reads = blocks.read();
                System.out.println("depth " + depth + ": " + writes + " writes/s, " + reads + " reads/s, "
                        + blocks.compared() + " bytes are equal");
            }
            controller.keepAlive();
        }
        controller.free();
        System.out.println("closed");
        System.exit(0);
    }
}
