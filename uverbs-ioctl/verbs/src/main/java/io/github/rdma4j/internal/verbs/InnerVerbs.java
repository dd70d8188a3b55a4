// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.internal.verbs;

import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.DeviceContext;
import io.github.rdma4j.verbs.MemoryRegion;
import io.github.rdma4j.verbs.ProtectionDomain;
import io.github.rdma4j.verbs.ReceiveWorkRequest;
import io.github.rdma4j.verbs.SendWorkRequest;
import io.github.rdma4j.verbs.attr.Access;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The door to what the public classes of the verbs do not show. */
public final class InnerVerbs {
    private static volatile @Nullable Door installed;

    private InnerVerbs() {}

    /** How the package of the verbs does it. */
    public interface Door {
        MemoryRegion register(ProtectionDomain pd, LentMemory memory, Set<Access> access) throws RdmaException;

        void closeNoMore(DeviceContext context, AutoCloseable user);

        CountedPieces pieces(SendWorkRequest request);

        CountedPieces pieces(ReceiveWorkRequest request);

        void notInline(SendWorkRequest request);
    }

    /** Called once, by the package of the verbs, when somebody comes to the door first. */
    public static void install(Door door) {
        installed = door;
    }

    /** Opened by the first call; a constant for the compiler afterwards. */
    private static final class Opened {
        static final Door DOOR = open();

        /** The name is a string because none of the verbs' classes needs the door. */
        private static Door open() {
            try {
                Class.forName("io.github.rdma4j.verbs.VerbsDoor");
            } catch (ClassNotFoundException e) {
                throw new LinkageError("the verbs have lost their door", e);
            }
            return Objects.requireNonNull(installed);
        }
    }

    /** Registers memory, and gives it back when the region is closed or cannot be made. */
    public static MemoryRegion register(ProtectionDomain pd, LentMemory memory, Set<Access> access)
            throws RdmaException {
        return Opened.DOOR.register(pd, memory, access);
    }

    /** Takes back {@link DeviceContext#closeWhenRemoved}: {@code user} is closed already. */
    public static void closeNoMore(DeviceContext context, AutoCloseable user) {
        Opened.DOOR.closeNoMore(context, user);
    }

    /** The pieces of memory that {@code request} sends, or reads into. */
    public static CountedPieces pieces(SendWorkRequest request) {
        return Opened.DOOR.pieces(request);
    }

    /** The pieces of memory that {@code request} receives into. */
    public static CountedPieces pieces(ReceiveWorkRequest request) {
        return Opened.DOOR.pieces(request);
    }

    /** Pieces of memory take the place of the inline data of {@code request}. */
    public static void notInline(SendWorkRequest request) {
        Opened.DOOR.notInline(request);
    }
}
