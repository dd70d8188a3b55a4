// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import io.github.rdma4j.internal.ucm.UcmCommand.CmCommands;
import io.github.rdma4j.internal.uverbs.WriteCommand.WriteCommands;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A command that {@link ModelRdmaCm} can refuse or pause: a command of the connection manager ({@code
 * RDMA_USER_CM_CMD_*}), one of several verbs commands ({@code IB_USER_VERBS_CMD_*}), or open(2) of a device.
 */
public enum ModelCommand {
    CREATE_ID(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_CREATE_ID),
    DESTROY_ID(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_DESTROY_ID),
    RESOLVE_ROUTE(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_RESOLVE_ROUTE),
    CONNECT(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_CONNECT),
    LISTEN(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_LISTEN),
    ACCEPT(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_ACCEPT),
    REJECT(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_REJECT),
    DISCONNECT(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_DISCONNECT),
    INIT_QP_ATTR(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_INIT_QP_ATTR),
    GET_EVENT(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_GET_EVENT),
    SET_OPTION(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_SET_OPTION),
    NOTIFY(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_NOTIFY),
    MIGRATE_ID(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_MIGRATE_ID),
    QUERY(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_QUERY),
    BIND(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_BIND),
    RESOLVE_ADDR(Device.RDMA_CM, CmCommands.RDMA_USER_CM_CMD_RESOLVE_ADDR),

    GET_CONTEXT(Device.UVERBS, WriteCommands.IB_USER_VERBS_CMD_GET_CONTEXT),
    QUERY_DEVICE(Device.UVERBS, WriteCommands.IB_USER_VERBS_CMD_QUERY_DEVICE),
    ALLOC_PD(Device.UVERBS, WriteCommands.IB_USER_VERBS_CMD_ALLOC_PD),
    CREATE_COMP_CHANNEL(Device.UVERBS, WriteCommands.IB_USER_VERBS_CMD_CREATE_COMP_CHANNEL),
    CREATE_CQ(Device.UVERBS, WriteCommands.IB_USER_VERBS_CMD_CREATE_CQ),
    CREATE_QP(Device.UVERBS, WriteCommands.IB_USER_VERBS_CMD_CREATE_QP),
    MODIFY_QP(Device.UVERBS, WriteCommands.IB_USER_VERBS_CMD_MODIFY_QP),

    /** open(2) of the connection manager's node. */
    OPEN_RDMA_CM(Device.SYSTEM, 0),
    /** open(2) of the device's uverbs node. */
    OPEN_UVERBS(Device.SYSTEM, 1);

    /** The type of file to which a command is written. */
    enum Device {
        RDMA_CM,
        UVERBS,
        SYSTEM
    }

    private final Device device;
    private final int number;

    ModelCommand(Device device, int number) {
        this.device = device;
        this.number = number;
    }

    /** Returns the command with the number {@code number}, or null for a command that cannot be refused. */
    static @Nullable ModelCommand of(Device device, int number) {
        return Stream.of(values())
                .filter(command -> command.device == device && command.number == number)
                .findFirst()
                .orElse(null);
    }

    /**
     * A command that stays in the kernel until the test lets it continue. Returned by {@link ModelRdmaCm#pauseNext}.
     */
    public static final class Pause implements AutoCloseable {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);

        Pause() {}

        /** Waits until the command has reached the kernel. The command has no effect yet. */
        public void awaitCommand() throws InterruptedException {
            entered.await();
        }

        /** Lets the command continue, even if it has not reached the kernel yet. Idempotent. */
        public void end() {
            ended.countDown();
        }

        /** Lets the command continue, like {@link #end}. */
        @Override
        public void close() {
            end();
        }

        /** Waits for {@link #end}. A command in the kernel is not interruptible. */
        void pass() {
            entered.countDown();
            boolean interrupted = false;
            while (true) {
                try {
                    ended.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
