// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.flight;

import java.util.Set;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A registration of memory. */
@Name("io.github.rdma4j.MemoryRegistration")
@Label("Memory Registration")
@Description("A registration of memory with a protection domain, which pins the memory")
@Category({"RDMA", "Verbs"})
@Enabled(false)
@StackTrace(false)
final class JfrMemoryRegistration extends Event implements Flight.Registration {
    @Label("Length")
    @DataAmount
    long length;

    @Label("Access")
    @Description("The access rights, such as [LOCAL_WRITE, REMOTE_READ]")
    String access = "";

    @Label("Local Key")
    @Description("The local key of the region; 0 if the registration failed")
    int localKey;

    @Label("Error Number")
    @Description("0, or the errno of the kernel")
    int errno;

    static Flight.@Nullable Registration start() {
        return JfrEvents.begin(JfrMemoryRegistration::new);
    }

    @Override
    public void end(long bytes, Set<?> rights, int key) {
        end();
        localKey = key;
        finish(bytes, rights);
    }

    @Override
    public void fail(long bytes, Set<?> rights, int error) {
        end();
        errno = error;
        finish(bytes, rights);
    }

    private void finish(long bytes, Set<?> rights) {
        if (shouldCommit()) {
            length = bytes;
            access = rights.toString();
            commit();
        }
    }
}
