// SPDX-License-Identifier: Apache-2.0
/**
 * The structs and constants of uapi {@code rdma/rdma_user_cm.h}, ABI version 4. Layouts and encoding only: no call is
 * made here. An encoder writes all {@code BYTES} bytes of a struct at an offset of a buffer in native order, and a
 * decoder reads them there; the body of a command follows a {@link io.github.rdma4j.internal.ucm.UcmCommand.CmHeader}.
 * All integers are in the byte order of the machine unless a member is declared {@code __be*}; decoders throw
 * {@link java.lang.IllegalArgumentException}, with the offset, for invalid bytes.
 */
@NullMarked
package io.github.rdma4j.internal.ucm;

import org.jspecify.annotations.NullMarked;
