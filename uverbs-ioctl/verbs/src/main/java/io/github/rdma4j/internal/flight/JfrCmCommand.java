// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A command of the connection manager, from before the write(2) until the reply has been read. */
@Name("io.github.rdma4j.CmCommand")
@Label("CM Command")
@Description("A command of the connection manager: a write(2) to /dev/infiniband/rdma_cm")
@Category({"RDMA", "Connection Manager"})
@Enabled(false)
@StackTrace(false)
final class JfrCmCommand extends Event implements Flight.Command {
    @Label("Command")
    @Description("The name without the prefix RDMA_USER_CM_CMD_")
    String command = "";

    @Label("Id")
    @Description("The kernel's handle of the id; of the membership for LEAVE_MCAST; -1 without one")
    int id;

    @Label("Queue Pair")
    @Description("The number of the queue pair in a CONNECT or ACCEPT; 0 in other commands")
    int queuePair;

    @Label("Address")
    @Description("The address in a BIND, RESOLVE_ADDR or JOIN_MCAST; empty in other commands")
    String address = "";

    @Label("Error Number")
    @Description("0, or the errno of the kernel")
    int errno;

    static Flight.@Nullable Command start() {
        return JfrEvents.begin(JfrCmCommand::new);
    }

    @Override
    public void end(String name, int commandId, int queuePairNumber, String commandAddress, int error) {
        end();
        if (shouldCommit()) {
            command = name;
            id = commandId;
            queuePair = queuePairNumber;
            address = commandAddress;
            errno = error;
            commit();
        }
    }
}
