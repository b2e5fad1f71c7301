// The families of controls of NIST SP 800-171 and CMMC, described in our own words: what people write when they write
// about them. Ids are those of the publications.
export const FAMILIES = [
  {
    id: 'AC',
    title: 'Access control',
    text: `access control authorisation authorised users accounts account provisioning deprovisioning disable inactive accounts
      role based roles permissions permission privileges privileged least privilege need to know separation of duties access request
      approval access review entitlement access rights group membership session lock screen lock idle timeout unsuccessful logon attempts
      lockout remote access vpn wireless access mobile devices bring your own device external systems portable storage public
      content sharing access matrix joiner mover leaver permission matrix administrator rights guest terminal server`,
  },
  {
    id: 'AT',
    title: 'Awareness and training',
    text: `awareness training course courses curriculum e-learning learning attendance attendees certificate of completion quiz
      phishing simulation phishing campaign insider threat indicators security awareness programme role based training annual refresher
      onboarding training slides trainer learners trained personnel completion rate lesson workshop briefing`,
  },
  {
    id: 'AU',
    title: 'Audit and accountability',
    text: `audit log logs logging audit records audit trail event events logged event log siem log collection log retention log review
      correlation timestamps time synchronisation ntp clock syslog log server log integrity protect audit information
      audit failure alert reporting who did what traceability accountability user actions recorded splunk central logging log analysis`,
  },
  {
    id: 'CM',
    title: 'Configuration management',
    text: `configuration management baseline baselines baseline configuration hardening hardened benchmark settings change control change request change
      advisory board change log inventory of systems software inventory hardware inventory asset list least functionality
      unnecessary ports services disabled application allow list whitelisting blacklisting user installed software group policy deviation
      golden image version control release configuration item cmdb rollback impact analysis of changes`,
  },
  {
    id: 'IA',
    title: 'Identification and authentication',
    text: `identification authentication identify authenticate identity identities password passwords passphrase complexity password reuse password history
      multifactor mfa two factor otp token smart card biometric authenticator fido security key single sign-on kerberos
      device certificate device authentication replay resistant identifiers credential credentials hashed stored password reset
      temporary password service account user name unique identifier login factor`,
  },
  {
    id: 'IR',
    title: 'Incident response',
    text: `incident incidents incident response incident handling detection analysis containment eradication recovery triage severity escalation
      incident report reporting authorities breach notification forensics post mortem lessons learned playbook runbook tabletop
      exercise csirt security operations on call ransomware compromised root cause timeline of the incident affected customers`,
  },
  {
    id: 'MA',
    title: 'Maintenance',
    text: `maintenance maintain repair servicing service technician maintenance window maintenance tools diagnostic equipment off site
      maintenance equipment sanitised before repair remote maintenance nonlocal maintenance vendor support session supervised escort maintenance
      personnel maintenance log preventive maintenance schedule spare parts firmware update by vendor warranty printer serviced`,
  },
  {
    id: 'MP',
    title: 'Media protection',
    text: `media protection removable media usb stick usb drive external drive backup tapes tape cd dvd paper documents marking labels
      labelled controlled unclassified information cui transport courier encrypted media sanitisation sanitise wipe degauss shred shredding
      destruction certificate of destruction disposal storage cabinet media library chain of custody backup confidentiality`,
  },
  {
    id: 'PE',
    title: 'Physical protection',
    text: `physical protection facility building premises office server room data centre door doors locks keys badge badges card reader
      visitor visitors escort visitor log reception guard cctv camera surveillance alarm fence perimeter intrusion
      entry exit physical access list alternate work site home office fire suppression power ups cooling`,
  },
  {
    id: 'PS',
    title: 'Personnel security',
    text: `personnel security screening background check vetting employment contract hiring candidate reference check criminal record
      confidentiality agreement nda termination of employment exit interview return of equipment transfer of employee human resources
      resignation dismissal sanctions staff leaving offboarding checklist nationality clearance`,
  },
  {
    id: 'RA',
    title: 'Risk assessment',
    text: `risk assessment risk register risks likelihood impact risk rating risk owner risk treatment threat threats threat modelling
      vulnerability scan vulnerability scanning vulnerabilities nessus cvss scanner findings remediation of vulnerabilities penetration test
      risk appetite residual risk risk acceptance critical high medium low scan report supply chain risk`,
  },
  {
    id: 'CA',
    title: 'Security assessment',
    text: `security assessment assess controls control assessment system security plan ssp plan of action milestones poam poa&m
      deficiencies continuous monitoring of controls self assessment score sprs audit findings assessor c3pao certification accreditation
      control effectiveness gap analysis evidence review authorisation to operate system boundary interconnections compliance assessment report`,
  },
  {
    id: 'SC',
    title: 'System and communications protection',
    text: `communications protection boundary firewall firewalls rules deny by default network segmentation segment subnet dmz vlan proxy
      encryption in transit tls https cipher certificates key management cryptographic fips validated cryptography encryption at rest
      split tunnelling network diagram data flow collaborative devices mobile code voip session authenticity architecture ports traffic gateway wan`,
  },
  {
    id: 'SI',
    title: 'System and information integrity',
    text: `integrity flaw remediation patch patches patching patch management security updates hotfix antivirus anti-malware malware malicious code
      signatures definitions endpoint detection edr quarantine scanning of files real time scan security alerts advisories bulletin
      intrusion detection ids ips monitoring inbound outbound traffic for attacks unauthorised use spam filter mail filter virus missing updates wsus`,
  },
];
