// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.verbs;

import io.github.rdma4j.internal.verbs.CountedPieces;
import io.github.rdma4j.internal.verbs.InnerVerbs;
import io.github.rdma4j.internal.verbs.LentMemory;
import io.github.rdma4j.kernel.RdmaException;
import io.github.rdma4j.verbs.attr.Access;
import java.util.Set;

/** What other packages of this library may do with the verbs, by way of {@link InnerVerbs}. */
final class VerbsDoor implements InnerVerbs.Door {
    static {
        InnerVerbs.install(new VerbsDoor());
    }

    private VerbsDoor() {}

    @Override
    public MemoryRegion register(ProtectionDomain pd, LentMemory memory, Set<Access> access) throws RdmaException {
        return pd.register(memory, access);
    }

    @Override
    public void closeNoMore(DeviceContext context, AutoCloseable user) {
        context.removal().remove(user);
    }

    @Override
    public CountedPieces pieces(SendWorkRequest request) {
        return request.pieces();
    }

    @Override
    public CountedPieces pieces(ReceiveWorkRequest request) {
        return request.pieces();
    }

    @Override
    public void notInline(SendWorkRequest request) {
        request.notInline();
    }
}
