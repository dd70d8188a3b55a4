// SPDX-License-Identifier: Apache-2.0
/**
 * The structs and constants of uapi {@code rdma/ib_user_mad.h}, ABI version 5. Layouts and encoding only: no call is
 * made here. Integers are in the byte order of the machine unless a member is declared {@code __be*}.
 */
@NullMarked
package io.github.rdma4j.internal.umad;

import org.jspecify.annotations.NullMarked;
