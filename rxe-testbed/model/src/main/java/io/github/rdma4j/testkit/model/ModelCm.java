// SPDX-License-Identifier: Apache-2.0
package io.github.rdma4j.testkit.model;

import static io.github.rdma4j.internal.ucm.UcmCommand.CmCommands.*;

import io.github.rdma4j.cm.CmEventType;
import io.github.rdma4j.internal.memory.NativeMemory;
import io.github.rdma4j.internal.testkit.OpenFile;
import io.github.rdma4j.internal.ucm.CommandFacts;
import io.github.rdma4j.internal.ucm.GetEvent;
import io.github.rdma4j.internal.ucm.GetEvent.EventReply;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.CreateIdReply;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.DestroyIdReply;
import io.github.rdma4j.internal.ucm.IdCommands.MigrateIdCommand;
import io.github.rdma4j.internal.ucm.IdCommands.MigrateReply;
import io.github.rdma4j.internal.ucm.UcmCommand.CmHeader;
import io.github.rdma4j.kernel.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The connection manager of the model: executes the commands of an open {@code rdma_cm}, with the structs and errors of
 * Linux 6.12. Used under the lock of {@link ModelCalls}.
 */
final class ModelCm {
    static final int OK = 0;
    static final Errno ENOSPC = Errno.ENOSPC;

    private static final int PS_IPOIB = 0x0002;
    private static final int PS_TCP = 0x0106;
    private static final int PS_UDP = 0x0111;
    private static final int PS_IB = 0x013f;
    private static final int RC = 2;

    private final ModelDevice device;
    private final IntFunction<@Nullable OpenFile> files;
    private final ModelIds ids = new ModelIds();
    private final CmMessages messages = new CmMessages(ids);
    private final CmIdCommands commands;

    ModelCm(ModelDevice device, IntFunction<@Nullable OpenFile> files) {
        this.device = device;
        this.files = files;
        this.commands = new CmIdCommands(device, ids, messages);
    }

    ModelIds ids() {
        return ids;
    }

    CmMessages messages() {
        return messages;
    }

    /**
     * A command as written by the caller; {@code body} follows the header, {@code room} is the size of the reply
     * buffer.
     */
    record Request(int command, ByteBuffer body, int room) {
        /** The memory for the reply, whose address is the first member of each struct with a reply. */
        ByteBuffer reply(int bytes) {
            return NativeMemory.view(body.getLong(0), bytes);
        }
    }

    long write(CmFile file, ByteBuffer bytes) {
        if (bytes.capacity() < CmHeader.BYTES) {
            return refused(Errno.EINVAL);
        }
        int in = Short.toUnsignedInt(bytes.getShort(CmHeader.IN));
        if (in + CmHeader.BYTES > bytes.capacity()) {
            return refused(Errno.EINVAL);
        }
        ByteBuffer body = bytes.slice(CmHeader.BYTES, in).order(ByteOrder.nativeOrder());
        int room = Short.toUnsignedInt(bytes.getShort(CmHeader.OUT));
        int result = carryOut(file, new Request(bytes.getInt(CmHeader.CMD), body, room));
        return result < 0 ? result : bytes.capacity();
    }

    /** Refuses a command with {@code result}. As in the kernel, LISTEN first binds an id without an address. */
    long refuse(ByteBuffer bytes, int result) {
        if (bytes.getInt(CmHeader.CMD) == RDMA_USER_CM_CMD_LISTEN) {
            ModelId id = ids.get(bytes.getInt(CmHeader.BYTES));
            if (id != null) {
                commands.bindUnlessBound(id);
            }
        }
        return result;
    }

    private int carryOut(CmFile file, Request request) {
        return switch (request.command()) {
            case RDMA_USER_CM_CMD_CREATE_ID -> createId(file, request);
            case RDMA_USER_CM_CMD_DESTROY_ID -> destroyId(file, request);
            case RDMA_USER_CM_CMD_GET_EVENT -> getEvent(file, request);
            case RDMA_USER_CM_CMD_MIGRATE_ID -> migrateId(file, request);
            default -> {
                int handle = CommandFacts.id(request.command(), request.body(), 0);
                yield handle == CommandFacts.NO_ID ? refused(Errno.EINVAL) : ofId(file, request, handle);
            }
        };
    }

    private int ofId(CmFile file, Request request, int handle) {
        ModelId id = ids.get(handle);
        int error = check(file, id);
        if (id == null || error != OK) {
            return error;
        }
        return id.isRemoved ? refused(Errno.ENXIO) : commands.carryOut(id, request);
    }

    private static int check(CmFile file, @Nullable ModelId id) {
        if (id == null) {
            return refused(Errno.ENOENT);
        }
        return id.file == file ? OK : refused(Errno.EINVAL);
    }

    static int refused(Errno errno) {
        return OpenFile.refused(errno);
    }

    // ---- ids

    private int createId(CmFile file, Request request) {
        if (request.room() < CreateIdReply.BYTES) {
            return refused(ENOSPC);
        }
        int portSpace = Short.toUnsignedInt(request.body().getShort(CreateIdCommand.PS));
        int type;
        switch (portSpace) {
            case PS_TCP -> type = RC;
            case PS_UDP, PS_IPOIB -> type = ModelId.UD;
            case PS_IB -> type = request.body().get(CreateIdCommand.QP_TYPE);
            default -> {
                return refused(Errno.EINVAL);
            }
        }
        long uid = request.body().getLong(CreateIdCommand.UID);
        ModelId id = ids.create(portSpace, type, file, uid);
        NativeMemory.view(request.body().getLong(CreateIdCommand.RESPONSE), CreateIdReply.BYTES)
                .putInt(0, id.handle);
        return OK;
    }

    private int destroyId(CmFile file, Request request) {
        ModelId id = ids.get(request.body().getInt(DestroyIdCommand.ID));
        int error = request.room() < DestroyIdReply.BYTES ? refused(ENOSPC) : check(file, id);
        if (id == null || error != OK) {
            return error;
        }
        request.reply(DestroyIdReply.BYTES).putInt(0, id.reported);
        destroy(id);
        return OK;
    }

    private void destroy(ModelId id) {
        ids.remove(id);
        if (id.unfetchedAt != null) {
            id.unfetchedAt.waiting--;
            id.unfetchedAt = null;
        }
        List<ModelId> children = Stream.concat(
                        id.file.take(id).stream().map(ModelEvent::child), messages.takeHeldChildren(id).stream())
                .flatMap(Stream::ofNullable)
                .toList();
        messages.end(id);
        children.stream().filter(child -> !child.isDestroyed).forEach(this::destroy);
    }

    /** Releases a closed descriptor, with its ids. */
    void release(CmFile file) {
        ids.all().stream().filter(id -> id.file == file && !id.isDestroyed).forEach(id -> {
            if (!id.isDestroyed) {
                destroy(id);
            }
        });
    }

    private int migrateId(CmFile to, Request request) {
        OpenFile named = files.apply(request.body().getInt(MigrateIdCommand.FD));
        if (named == null) {
            return refused(Errno.ENOENT);
        }
        if (!(named instanceof CmFile from)) {
            return refused(Errno.EINVAL);
        }
        ModelId id = ids.get(request.body().getInt(MigrateIdCommand.ID));
        int error = check(from, id);
        if (id == null || error != OK) {
            return error;
        }
        if (id.isRemoved) {
            return refused(Errno.ENXIO);
        }
        request.reply(MigrateReply.BYTES).putInt(0, id.reported);
        if (from != to) {
            id.file = to;
            from.take(id).forEach(to::add);
        }
        return OK;
    }

    // ---- events

    private int getEvent(CmFile file, Request request) {
        if (request.room() < EventReply.BYTES) {
            return refused(ENOSPC);
        }
        ModelEvent event = file.next();
        if (event == null) {
            return refused(Errno.EAGAIN);
        }
        ModelId to = event.to();
        ModelId child = event.child();
        NativeMemory.view(request.body().getLong(GetEvent.Command.RESPONSE), EventReply.BYTES)
                .putLong(EventReply.UID, to.uid)
                .putInt(EventReply.ID, child == null ? to.handle : child.handle)
                .putInt(EventReply.EVENT, event.type().code())
                .putInt(EventReply.STATUS, event.status())
                .put(EventReply.PARAM, event.param());
        to.reported++;
        if (child != null) {
            messages.fetched(child);
        }
        return OK;
    }

    /** Unplugs the device. */
    void removeDevice() {
        device.remove();
        for (ModelId id : ids.all()) {
            if (id.hasDevice) {
                messages.tell(ModelEvent.of(id, CmEventType.DEVICE_REMOVAL, 0));
                id.isRemoved = true;
                id.link = ModelId.Link.ENDED;
                id.other = null;
            }
        }
    }
}
