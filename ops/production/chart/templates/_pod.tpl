{{/* The pod of a service: (dict "root" $ "name" name "service" service). */}}
{{- define "ampacity.pod" -}}
metadata:
  labels:
    app.kubernetes.io/name: ampacity
    app.kubernetes.io/component: {{ .name }}
    ampacity/outside: {{ .service.outside | default false | quote }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ add 15 (.service.grace | default 30) }}
  {{- if .service.job }}
  restartPolicy: Never
  {{- else }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {app.kubernetes.io/name: ampacity, app.kubernetes.io/component: {{ .name }}}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    seccompProfile: {type: RuntimeDefault}
  containers:
    - name: {{ .name }}
      image: "{{ .root.Values.image.repository }}:{{ required "image.tag" .root.Values.image.tag }}"
      command: {{ toJson .service.command }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      env:
        {{- range $name, $key := dict "SECRET_KEY" "SECRET_KEY" "METRICS_TOKEN" "METRICS_TOKEN" "BROKER_URL" "BROKER_URL" "DATABASE_URL" (ternary "DATABASE_DIRECT_URL" "DATABASE_URL" (.service.direct | default false)) }}
        - {name: {{ $name }}, valueFrom: {secretKeyRef: {name: {{ $.root.Values.secret }}, key: {{ $key }}}}}
        {{- end }}
        {{- if .service.identity }}
        - {name: DATABASE_IDENTITY_URL, valueFrom: {secretKeyRef: {name: {{ .root.Values.secret }}, key: DATABASE_IDENTITY_URL}}}
        {{- end }}
        {{- if .service.owner }}
        - {name: DATABASE_OWNER_URL, valueFrom: {secretKeyRef: {name: {{ .root.Values.secret }}, key: DATABASE_OWNER_URL}}}
        {{- end }}
        {{- $host := required "host" .root.Values.host }}
        {{- $own := dict "ALLOWED_HOSTS" $host "WEB_URL" (printf "https://%s" $host) "EVENTS_URL" (printf "https://%s/events" $host) "TRUSTED_PROXIES_COUNT" "1" "METRICS_ADDRESS" "0.0.0.0:9100" "PROMETHEUS_MULTIPROC_DIR" "/tmp/metrics" }}
        {{- if not .service.port }}
        {{- $_ := set $own "ALIVE_FILE" "/tmp/alive" }}
        {{- $_ := set $own "WORKER_GRACE_S" (.service.grace | default 30 | toString) }}
        {{- end }}
        {{- range $name, $value := mergeOverwrite $own (deepCopy .root.Values.environment) (deepCopy (.service.environment | default dict)) }}
        - {name: {{ $name }}, value: {{ $value | quote }}}
        {{- end }}
      {{- if not .service.job }}
      ports:
        - {name: metrics, containerPort: 9100}
        {{- if .service.port }}
        - {name: http, containerPort: {{ .service.port }}}
        {{- end }}
      {{- $asked := ternary (list (printf "http://127.0.0.1:%v/healthz" .service.port)) (list "/tmp/alive" "60") (not (not .service.port)) }}
      {{- $probe := dict "exec" (dict "command" (concat (list "python" "-m" "ops.production.healthy") $asked)) "timeoutSeconds" 10 "periodSeconds" 15 }}
      startupProbe: {{ toJson (merge (dict "failureThreshold" 20) $probe) }}
      livenessProbe: {{ toJson (merge (dict "failureThreshold" 4) $probe) }}
      readinessProbe: {{ toJson $probe }}
      {{- end }}
      resources:
        requests: {cpu: {{ .service.cpu | quote }}, memory: {{ .service.memory }}}
        limits: {memory: {{ .service.memory }}}
      volumeMounts:
        - {name: tmp, mountPath: /tmp}
        - {name: caches, mountPath: /var/lib/ampacity}
  volumes:
    - {name: tmp, emptyDir: {sizeLimit: 512Mi}}
    # compiled kernels, which each pod makes anew
    - {name: caches, emptyDir: {sizeLimit: 2Gi}}
{{- end }}
