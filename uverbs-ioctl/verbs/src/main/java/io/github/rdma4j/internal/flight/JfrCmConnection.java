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

/** A connection, for as long as its id is ESTABLISHED. */
@Name("io.github.rdma4j.CmConnection")
@Label("CM Connection")
@Description("The time for which an id of the connection manager was in the state ESTABLISHED")
@Category({"RDMA", "Connection Manager"})
@Enabled(false)
@StackTrace(false)
final class JfrCmConnection extends Event implements Flight.Connection {
    @Label("Id")
    @Description("The kernel's handle of the id")
    int id;

    @Label("Local Address")
    String localAddress = "";

    @Label("Peer Address")
    String peerAddress = "";

    @Label("End")
    @Description("The state of the id after ESTABLISHED, such as DISCONNECTED or DESTROYED")
    String end = "";

    static Flight.@Nullable Connection start() {
        return JfrEvents.begin(JfrCmConnection::new);
    }

    @Override
    public void end(int handle, String local, String peer, String state) {
        end();
        if (shouldCommit()) {
            id = handle;
            localAddress = local;
            peerAddress = peer;
            end = state;
            commit();
        }
    }
}
